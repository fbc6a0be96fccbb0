import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/run-command.js'

const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const rules = read('.dependency-cruiser.cjs')
const overview = read('ARCHITECTURE.md')
const quotedIn = (text: string, mark: string) => text.split(mark).filter((_, n) => n % 2 === 1)

/** Which of these a room may use is not told, only checked. */
const small = ['audit', 'findings', 'jobs', 'mail']

test('what each room of the API knows is told in ARCHITECTURE.md as it is checked', () => {
  const [, arrows = ''] = /const mayImport = \{(.*?)\n\}/s.exec(rules) ?? []
  const checked = [...arrows.matchAll(/^ {2}'?([\w-]+)'?: \[([^\]]*)\]/gm)]
    .map(([, room = '', list = '']) => ({ room, knows: quotedIn(list, "'").filter((one) => !small.includes(one)) }))
    .filter(({ room }) => !small.includes(room))
  const table = overview.slice(overview.indexOf('| room '), overview.indexOf('`servers` has a face'))
  const told = table
    .split('\n')
    .map((line) => line.split('|'))
    .map(([, first = '', second = '']) => ({ room: quotedIn(first, '`')[0] ?? '', knows: quotedIn(second, '`') }))
  const inOrder = ({ room, knows }: { room: string; knows: string[] }) => `${room}: ${knows.toSorted().join(', ')}`
  const wanted = checked.map(inOrder).toSorted()
  expect(wanted.length).toBeGreaterThan(15)
  expect(
    told
      .filter(({ room }) => !['', 'http', ...small].includes(room))
      .map(inOrder)
      .toSorted(),
  ).toEqual(wanted)
})

test('the rooms of the web are told in ARCHITECTURE.md', () => {
  const [, list = ''] = /const webRooms = \[([^\]]*)\]/.exec(rules) ?? []
  const rooms = quotedIn(list, "'")
  const told = overview.slice(overview.indexOf('In the web a page'))
  expect(rooms.length).toBeGreaterThan(4)
  expect(rooms.filter((room) => !told.includes(`\`${room}\``))).toEqual([])
})
