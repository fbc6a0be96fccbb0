import path from 'node:path'
import ts from 'typescript'
import type { Source } from './sources.js'

/** Files and folders that reach each other both ways; types count too. */
export function findCircles(sources: readonly Source[]): { files: string[]; folders: string[] } {
  const files = new Set(sources.map(({ file }) => file))
  const ofFiles = new Map(sources.map((source) => [source.file, importsOf(source, files)]))
  const ofFolders = new Map<string, Set<string>>()
  for (const [file, imported] of ofFiles) {
    const from = roomOf(file)
    const to = ofFolders.get(from) ?? new Set()
    for (const other of imported)
      if (roomOf(other) !== from && packageOf(other) === packageOf(file)) to.add(roomOf(other))
    ofFolders.set(from, to)
  }
  return { files: circlesIn(ofFiles), folders: circlesIn(ofFolders) }
}

const packageOf = (file: string) => file.split('/')[1]
/** A package's own door stands for itself. */
const roomOf = (file: string) => (/^packages\/[^/]+\/src\/[^/]+$/.test(file) ? file : path.dirname(file))

function importsOf({ file, text }: Source, files: ReadonlySet<string>): Set<string> {
  const found = new Set<string>()
  for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles) {
    const target = fileName.startsWith('@vps/shared/')
      ? `packages/shared/src/${fileName.slice('@vps/shared/'.length)}`
      : path.join(path.dirname(file), fileName)
    if (!fileName.startsWith('.') && !fileName.startsWith('@vps/shared/')) continue
    const bare = target.replace(/\.js$/, '')
    const there = [`${bare}.ts`, `${bare}.tsx`].find((name) => files.has(name))
    if (there) found.add(there)
  }
  return found
}

/** By Tarjan, of more than one member. */
function circlesIn(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const circles: string[] = []
  const visit = (node: string): number => {
    const mine = order.size
    order.set(node, mine)
    let lowest = mine
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) lowest = Math.min(lowest, visit(next))
      else if (stack.includes(next)) lowest = Math.min(lowest, low.get(next) ?? order.get(next) ?? lowest)
      low.set(node, lowest)
    }
    if (lowest === mine) {
      const members = stack.splice(stack.indexOf(node))
      if (members.length > 1) circles.push(members.toSorted().join(' ↔ '))
    }
    return lowest
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return circles
}
