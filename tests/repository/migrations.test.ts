import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/run-command.js'

const folder = path.join(root, 'migrations')
/** Released before this was held, and never edited. */
const heldFrom = '0126'

/**
 * While processes of the version before run: what their statements name stays, what they insert is taken, and no table
 * that sells is locked for as long as it takes to read it (`migrations/README.md`).
 */
test('every migration leaves the version before at work', () => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  const files = names.toSorted().map((name) => ({ name, text: readFileSync(path.join(folder, name), 'utf8') }))
  const faults = files.flatMap(({ name, text }, n) =>
    name < heldFrom
      ? []
      : faultsIn(
          text,
          files.slice(0, n).map((file) => file.text),
        ).map((fault) => `${name}: ${fault}`),
  )
  expect(faults).toEqual([])
})

const known = (words: string) => `alter table orders drop constraint orders_status_known;
  alter table orders add constraint orders_status_known check (status in (${words})) not valid;`

test.each([
  ['alter table orders add column a text, add column b int not null;', ['add column b int not null: has no default']],
  ['alter table orders add column a int not null default 0;', []],
  ['alter table orders rename column a to b;', ['rename column a to b: still named so']],
  ['alter table orders alter column a set not null;', ['alter column a set not null: still written otherwise']],
  ['alter table orders alter column a type bigint;', ['alter column a type bigint: still written otherwise']],
  ['alter table orders drop column a;', ['drop column a: still read']],
  ['alter table hosts drop column vlan;', []],
  ['drop table orders;', ['drop table orders: still read']],
  [
    'alter table orders add constraint c check (a > 0);',
    ['add constraint c check (a > 0): reads all rows under a lock'],
  ],
  ['alter table orders add constraint c check (a > 0) not valid;', []],
  ['alter table orders validate constraint c;', []],
  ['create index i on orders (a);', []],
  ['create index i on orders (a);\nselect 1;', ['create index i on orders (a): is not a file of its own']],
  ['create table t (a int not null); create index i on t (a); alter table t add constraint c check (a > 0);', []],
  [known(`'PENDING'`), ['orders_status_known: no longer takes PAID']],
  [known(`'PENDING', 'PAID', 'LATER'`), []],
])('what would break or hold it up is told: %s', (text, faults) => {
  const before = [known(`'PENDING', 'PAID'`), `comment on column hosts.vlan is 'unused since 0025';`]
  expect(faultsIn(text, before)).toEqual(faults)
})

function faultsIn(text: string, before: readonly string[]): string[] {
  const statements = statementsIn(text)
  const made = new Set(Array.from(text.matchAll(/create table (\w+)/g), ([, table]) => table))
  return [
    ...statements.flatMap((statement) => {
      const [, table] = /^(?:alter table|create (?:unique )?index \w+ on) (\w+)/.exec(statement) ?? []
      if (made.has(table)) return []
      if (/^create (unique )?index/.test(statement))
        return statements.length === 1 ? [] : [`${statement}: is not a file of its own`]
      if (statement.startsWith('drop table')) return [`${statement}: still read`]
      return table
        ? partsOf(statement.slice(`alter table ${table}`.length)).flatMap((part) => faultsOf(part, table, before))
        : []
    }),
    ...wordsLost(text, before),
  ]
}

function faultsOf(part: string, table: string, before: readonly string[]): string[] {
  const [, dropped] = /^drop column (\w+)/.exec(part) ?? []
  const unused = new RegExp(String.raw`comment on column ${table}\.${dropped} is '[^']*unused since`)
  if (dropped) return before.some((file) => unused.test(file)) ? [] : [`${part}: still read`]
  if (part.startsWith('rename')) return [`${part}: still named so`]
  if (/^alter column \w+ (set not null|(set data )?type)/.test(part)) return [`${part}: still written otherwise`]
  if (/^add column .* not null/.test(part) && !part.includes('default')) return [`${part}: has no default`]
  if (part.startsWith('add constraint') && !part.endsWith('not valid')) return [`${part}: reads all rows under a lock`]
  return []
}

/** Bodies of functions stay whole. */
function statementsIn(text: string): string[] {
  const bodies: string[] = []
  const bare = text.replaceAll(/--.*$/gm, '').replaceAll(/\$(\w*)\$.*?\$\1\$/gs, (body) => `$${bodies.push(body)}$`)
  return bare.split(';').flatMap((one) => one.replaceAll(/\s+/g, ' ').trim() || [])
}

/** At commas outside all brackets. */
function partsOf(given: string): string[] {
  let depth = 0
  const cut = Array.from(given, (sign) => {
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0
    return sign === ',' && depth === 0 ? '\n' : sign
  })
  return cut
    .join('')
    .split('\n')
    .map((part) => part.trim())
}

const lists = /add constraint (\w+_known) check\s*\(\w+ in\s*\(([^)]*)\)/g

function wordsLost(text: string, before: readonly string[]): string[] {
  const listsIn = (sql: string) =>
    Array.from(sql.matchAll(lists), ([, name = '', words = '']) => ({
      name,
      words: Array.from(words.matchAll(/'([^']+)'/g), ([, word = '']) => word),
    }))
  const earlier = new Map(before.flatMap(listsIn).map(({ name, words }) => [name, words]))
  return listsIn(text).flatMap(({ name, words }) =>
    (earlier.get(name) ?? []).filter((word) => !words.includes(word)).map((word) => `${name}: no longer takes ${word}`),
  )
}
