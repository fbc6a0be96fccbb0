import fs from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { root } from '../run-command.js'

export type Source = { file: string; text: string; tree: ts.SourceFile }

/** What ships: no tests, nothing made for them, nothing generated. */
export function readSources(): Source[] {
  const packages = fs.readdirSync(path.join(root, 'packages'))
  return packages
    .flatMap((name) => filesIn(`packages/${name}/src`))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/testing\/|\.generated\.ts$|\.d\.ts$/.test(file))
    .toSorted()
    .map((file) => {
      const text = fs.readFileSync(path.join(root, file), 'utf8')
      return { file, text, tree: ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true) }
    })
}

function filesIn(folder: string): string[] {
  const names = fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
  return names.map((name) => path.join(folder, name))
}

/** Parents before their children. */
export function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node
  const children: ts.Node[] = []
  node.forEachChild((child) => void children.push(child))
  for (const child of children) yield* nodesOf(child)
}

export function placeOf({ file, tree }: Source, node: ts.Node): string {
  return `${file}:${tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1}`
}
