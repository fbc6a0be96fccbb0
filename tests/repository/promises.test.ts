import path from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { root } from '../../scripts/run-command.js'

/**
 * A promise kept in a variable while something else is awaited: if it fails meanwhile, nobody listens, and Node ends
 * the process. Begin them together in `Promise.all`, or await each where it begins.
 */
test('no promise is left without a listener while another one is awaited', () => {
  expect(faultsOf(['api', 'demo', 'agent'].map((name) => path.join(root, 'packages', name)))).toEqual([])
}, 120_000)

/** Shared files are read once. */
function faultsOf(packages: readonly string[]): string[] {
  const parsed = packages.map((folder) =>
    ts.parseJsonConfigFileContent(
      ts.readConfigFile(path.join(folder, 'tsconfig.json'), ts.sys.readFile).config,
      ts.sys,
      folder,
    ),
  )
  const program = ts.createProgram(
    parsed.flatMap(({ fileNames }) => fileNames.filter((name) => !isTest(name))),
    { ...parsed[0]?.options, noEmit: true, composite: false, customConditions: ['@vps/source'] },
  )
  const checker = program.getTypeChecker()
  const isPromise = (node: ts.Expression) =>
    checker.getTypeAtLocation(node).getProperty('then') !== undefined &&
    checker.getTypeAtLocation(node).getProperty('catch') !== undefined
  return program
    .getSourceFiles()
    .filter(
      (file) =>
        !file.isDeclarationFile && file.fileName.startsWith(path.join(root, 'packages')) && !isTest(file.fileName),
    )
    .flatMap((file) =>
      declarationsIn(file)
        .filter((declared) => isPromise(declared.initializer))
        .flatMap((declared) => faultOf(declared, file)),
    )
}

const isTest = (file: string) => /\.test\.ts$|\/testing\//.test(file)

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

/** Whether something is awaited before the first statement that speaks of the promise. */
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

/** `await name`, or `name` within the first thing awaited. */
function isListenedTo(text: string, name: string): boolean {
  const first = text.slice(text.indexOf('await'))
  return new RegExp(`^await (${name}\\b|Promise\\.(all|allSettled|race|any)\\([^;]*\\b${name}\\b)`).test(first)
}
