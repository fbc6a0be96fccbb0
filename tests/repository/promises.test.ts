import path from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { root } from '../../scripts/run-command.js'

/**
 * A promise that is begun, kept in a variable, and awaited only after something else was: if it fails meanwhile, nobody
 * listens, and Node ends the process. Begin them together in `Promise.all`, or await each where it begins.
 */
test('no promise is left without a listener while another one is awaited', () => {
  const faults = ['api', 'demo', 'agent'].flatMap((name) =>
    faultsOf(path.join(root, 'packages', name, 'tsconfig.json')),
  )
  expect(faults).toEqual([])
}, 120_000)

function faultsOf(config: string): string[] {
  const parsed = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, ts.sys.readFile).config,
    ts.sys,
    path.dirname(config),
  )
  const program = ts.createProgram(parsed.fileNames, {
    ...parsed.options,
    noEmit: true,
    customConditions: ['@vps/source'],
  })
  const checker = program.getTypeChecker()
  const isPromise = (node: ts.Expression) =>
    checker.getTypeAtLocation(node).getProperty('then') !== undefined &&
    checker.getTypeAtLocation(node).getProperty('catch') !== undefined
  return program
    .getSourceFiles()
    .filter(
      (file) =>
        !file.isDeclarationFile &&
        file.fileName.startsWith(path.join(root, 'packages')) &&
        !/\.test\.ts$|\/testing\//.test(file.fileName),
    )
    .flatMap((file) =>
      declarationsIn(file)
        .filter((declared) => isPromise(declared.initializer))
        .flatMap((declared) => faultOf(declared, file)),
    )
}

type Declared = {
  name: string
  initializer: ts.CallExpression
  statement: ts.Statement
  block: ts.Block | ts.SourceFile
}

function declarationsIn(file: ts.SourceFile): Declared[] {
  const found: Declared[] = []
  const visit = (node: ts.Node): void => {
    if (
      ts.isVariableDeclaration(node) &&
      ts.isIdentifier(node.name) &&
      node.initializer &&
      ts.isCallExpression(node.initializer)
    ) {
      const statement = node.parent.parent
      if (ts.isVariableStatement(statement) && (ts.isBlock(statement.parent) || ts.isSourceFile(statement.parent)))
        found.push({ name: node.name.text, initializer: node.initializer, statement, block: statement.parent })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** Whether something is awaited between the promise's beginning and the first statement that speaks of it. */
function faultOf({ name, initializer, statement, block }: Declared, file: ts.SourceFile): string[] {
  if (/\.(catch|then)\(|^Promise\.resolve\(/.test(initializer.getText())) return []
  const later = block.statements.slice(block.statements.indexOf(statement) + 1)
  for (const next of later) {
    const text = next.getText()
    const speaks = new RegExp(`\\b${name}\\b`).exec(text)
    const awaits = /\bawait\b/.exec(text)
    if (speaks && (!awaits || isListenedTo(text, name))) return []
    if (awaits)
      return [
        `${path.relative(root, file.fileName)}:${file.getLineAndCharacterOfPosition(statement.getStart()).line + 1} ${name}`,
      ]
  }
  return []
}

/** `await name`, or `name` within the first thing that is awaited. */
function isListenedTo(text: string, name: string): boolean {
  const first = text.slice(text.indexOf('await'))
  return new RegExp(`^await (${name}\\b|Promise\\.(all|allSettled|race|any)\\([^;]*\\b${name}\\b)`).test(first)
}
