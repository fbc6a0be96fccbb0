import ts from 'typescript'
import { findCircles } from './circles.js'
import { findClones } from './clones.js'
import { nodesOf, placeOf, readSources, type Source } from './sources.js'

const longestFile = 300
const longestFunction = 80

export function countAll(): Record<string, string[]> {
  const sources = readSources()
  const circles = findCircles(sources)
  const found = (is: (node: ts.Node, source: Source) => boolean) =>
    sources.flatMap((source) =>
      [...nodesOf(source.tree)].filter((node) => is(node, source)).map((node) => placeOf(source, node)),
    )
  return {
    'circles of files': circles.files,
    'circles of folders': circles.folders,
    casts: found((node) => ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)),
    'non-null assertions': found((node) => ts.isNonNullExpression(node)),
    'lint disables': sources.flatMap(({ file, text }) =>
      [...text.matchAll(/oxlint-disable|eslint-disable/g)].map(() => file),
    ),
    [`files over ${longestFile} lines`]: sources
      .filter(({ text }) => text.trimEnd().split('\n').length > longestFile)
      .map(({ file }) => file),
    [`functions over ${longestFunction} lines`]: found((node, source) => isLongFunction(node, source)),
    'exact clones of six lines': findClones(sources),
    'Chinese strings used twice': repeatedChinese(sources),
  }
}

function isLongFunction(node: ts.Node, { tree }: Source): boolean {
  if (!ts.isFunctionLike(node) || !('body' in node) || !node.body) return false
  const line = (position: number) => tree.getLineAndCharacterOfPosition(position).line
  return line(node.getEnd()) - line(node.getStart(tree)) + 1 > longestFunction
}

/** Such a text belongs into `shared`, whose own texts count, too. */
function repeatedChinese(sources: readonly Source[]): string[] {
  const places = new Map<string, string[]>()
  for (const source of sources) {
    for (const node of nodesOf(source.tree)) {
      const isText = ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isJsxText(node)
      if (!isText || !/\p{Script=Han}/u.test(node.text)) continue
      const text = node.text.trim()
      places.set(text, [...(places.get(text) ?? []), placeOf(source, node)])
    }
  }
  return [...places].filter(([, all]) => all.length > 1).map(([text, all]) => `${text}: ${all.join(', ')}`)
}
