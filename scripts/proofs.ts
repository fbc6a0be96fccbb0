import fs from 'node:fs'
import path from 'node:path'
import { root } from './run-command.js'
import type { TestResult } from './test-result.js'

/** A row of `docs/specification.md`. */
export type Row = { id: string; requirement: string; code: string; proof: string }
type Proof = { row: string; file: string; name: string }

/** By the heading they stand under. */
export function readSpecification(): Map<string, Row[]> {
  const page = fs.readFileSync(path.join(root, 'docs/specification.md'), 'utf8')
  const sections = page.split(/^## /m).slice(1)
  return new Map(sections.map((section) => [section.split('\n', 1).join('').trim(), rowsOf(section)]))
}

function rowsOf(section: string): Row[] {
  return section
    .split('\n')
    .filter((line) => /^\| P\d/.test(line))
    .map((line) => {
      const [, id = '', requirement = '', code = '', proof = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
      return { id, requirement, code, proof }
    })
}

/** None where it does not hold yet. Throws at one not written as `file` › name. */
export function proofsOf({ id, proof }: Row): Proof[] {
  if (proof.startsWith('未完成')) return []
  return proof.split('<br>').map((one) => {
    const [, file, name] = /^`([^`]+)` › (.+)$/.exec(one) ?? []
    if (!file || !name) throw new Error(`${id}: not a proof: ${one}`)
    return { row: id, file, name: name.replaceAll('\\|', '|') }
  })
}

/** A proof is a passed test. A row whose file did not run here is neither proven nor missing. */
export function judgeProofs(result: TestResult, everything: boolean) {
  const passed = new Map<string, string[]>()
  for (const { file, name } of result.ran) passed.set(file, [...(passed.get(file) ?? []), name])
  const all = [...readSpecification().values()].flat().flatMap(proofsOf)
  const isProven = ({ file, name }: Proof) => {
    const pattern = titlePattern(name)
    return (passed.get(file) ?? []).some((title) => pattern.test(title))
  }
  const proven = all.filter(isProven)
  const missing = all.filter((proof) => !isProven(proof) && (everything || passed.has(proof.file)))
  return { all: all.length, proven: proven.length, missing }
}

/** `%s` and `$name` stand for what each row of a table puts there. */
function titlePattern(title: string): RegExp {
  const literal = title.split(/%[sdifjo]|\$[\w.]+/).map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
  return new RegExp(`(^| › )${literal.join('.+')}$`, 's')
}
