import fs from 'node:fs'
import path from 'node:path'
import { root } from './run-command.js'

/** With `--check` fails where the file differs. */
export function writeOrCompare(file: string, content: string, command: string): void {
  const target = path.join(root, file)
  const current = fs.existsSync(target) ? fs.readFileSync(target, 'utf8') : undefined
  if (current === content) return
  if (!process.argv.includes('--check')) {
    fs.mkdirSync(path.dirname(target), { recursive: true })
    fs.writeFileSync(target, content)
    console.log(`wrote ${file}`)
    return
  }
  console.error(`${file} is not what its sources say; run: ${command}`)
  console.error(firstDifference(current ?? '', content))
  process.exitCode = 1
}

function firstDifference(old: string, fresh: string): string {
  const before = old.split('\n')
  const after = fresh.split('\n')
  const line = after.findIndex((text, index) => text !== before[index])
  const at = line === -1 ? after.length : line
  return `  line ${at + 1}\n  - ${before[at] ?? '(end)'}\n  + ${after[at] ?? '(end)'}`
}
