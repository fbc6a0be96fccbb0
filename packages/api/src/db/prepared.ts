/** The program has some 300. */
const namesAtMost = 500
/** Plans are kept per name and connection: texts that grow with their input get none. */
const listItemsAtMost = 8
const planned = /^\s*(select|insert|update|delete|with)\b/i
/** Which index serves a search depends on its text: a plan for any text reads the whole table for most. */
const searches = /\bilike\b/i

/**
 * The name to prepare a statement by: parsing and planning took 70 to 96 % of the database's time. Null: plan each
 * time.
 */
export function statementNames(): (text: string) => string | null {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known) return known
    if (names.size >= namesAtMost || !planned.test(text) || isUnbounded(text) || searches.test(text)) return null
    const name = `s${names.size}`
    names.set(text, name)
    return name
  }
}

/** A long `in (…)`, or several rows. */
function isUnbounded(text: string): boolean {
  const lists = text.match(/\bin \(\$\d+(?:, \$\d+)+/gi) ?? []
  return /\), \(\$/.test(text) || lists.some((list) => list.split(',').length > listItemsAtMost)
}
