/** Where what one side sends is none of what the other takes. */
import * as z from 'zod'

/** Of a JSON schema, what is held against another. */
export interface Part {
  $ref?: string | undefined
  $defs?: Record<string, Part> | undefined
  type?: string | string[] | undefined
  const?: unknown
  enum?: unknown[] | undefined
  anyOf?: Part[] | undefined
  oneOf?: Part[] | undefined
  properties?: Record<string, Part> | undefined
  required?: string[] | undefined
  items?: Part | undefined
  additionalProperties?: boolean | Part | undefined
  format?: string | undefined
  pattern?: string | undefined
  minimum?: number | undefined
  maximum?: number | undefined
  minLength?: number | undefined
  maxLength?: number | undefined
  minItems?: number | undefined
  maxItems?: number | undefined
}

const parts = z.lazy(() => z.array(part).optional())
const named = z.lazy(() => z.record(z.string(), part).optional())
const bound = z.number().optional()

export const part: z.ZodType<Part> = z.object({
  $ref: z.string().optional(),
  $defs: named,
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: parts,
  oneOf: parts,
  properties: named,
  required: z.array(z.string()).optional(),
  items: z.lazy(() => part.optional()),
  additionalProperties: z.lazy(() => z.union([z.boolean(), part]).optional()),
  format: z.string().optional(),
  pattern: z.string().optional(),
  minimum: bound,
  maximum: bound,
  minLength: bound,
  maxLength: bound,
  minItems: bound,
  maxItems: bound,
})

/** `sent` and `taken` with the document their `$ref`s lead into. `mayGrow`: where a further kind of thing is no fault. */
export type Sides = { sent: Part; taken: Part; mayGrow?: (at: string) => boolean }

/** Sentences; none where all that is `sent` is `taken`. */
export function misfits(sides: Sides, at: string, sent = sides.sent, taken = sides.taken): string[] {
  const takes = kindsOf(taken, sides.taken)
  return kindsOf(sent, sides.sent).flatMap((one) => {
    const fitting = takes.filter((other) => isSameKind(one, other, sides))
    if (fitting.length === 0) return sides.mayGrow?.(at) ? [] : [`${at}: ${nameOf(one, sides.sent)} is not taken`]
    const [best = []] = fitting
      .map((other) => misfitsOfOne(sides, at, one, other))
      .toSorted((a, b) => a.length - b.length)
    return best
  })
}

function misfitsOfOne(sides: Sides, at: string, one: Part, other: Part): string[] {
  if (isEmpty(other) || 'const' in one) return []
  const inner = (name: string, sent: Part | undefined, taken: Part | undefined) =>
    sent && taken ? misfits(sides, `${at}${name}`, sent, taken) : []
  return [
    ...boundsMissed(one, other).map((what) => `${at}: its ${what} is narrower`),
    ...(other.required ?? [])
      .filter((name) => !one.required?.includes(name))
      .map((name) => `${at}.${name} is needed, and not always sent`),
    ...Object.entries(one.properties ?? {}).flatMap(([name, sent]) =>
      inner(`.${name}`, sent, other.properties?.[name]),
    ),
    ...inner('[]', one.items, other.items),
    ...inner('{}', schemaIn(one), schemaIn(other)),
  ]
}

const schemaIn = ({ additionalProperties: rest }: Part) => (typeof rest === 'object' ? rest : undefined)

function boundsMissed(one: Part, other: Part): string[] {
  const least = (['minimum', 'minLength', 'minItems'] as const).filter(
    (name) => (other[name] ?? -Infinity) > (one[name] ?? -Infinity),
  )
  const most = (['maximum', 'maxLength', 'maxItems'] as const).filter(
    (name) => (other[name] ?? Infinity) < (one[name] ?? Infinity),
  )
  const form = (['format', 'pattern'] as const).filter((name) => other[name] && other[name] !== one[name])
  return [...least, ...most, ...form]
}

/** Its alternatives, each with one type or one word. */
function kindsOf(given: Part, document: Part): Part[] {
  const own = resolved(given, document)
  const several = own.anyOf ?? own.oneOf
  if (several) return several.flatMap((one) => kindsOf(one, document))
  if (own.enum) return own.enum.map((word) => ({ const: word }))
  if (Array.isArray(own.type)) return own.type.map((type) => ({ ...own, type }))
  return [own]
}

function resolved(given: Part, document: Part): Part {
  const name = given.$ref?.split('/').at(-1)
  if (name === undefined) return given
  const found = document.$defs?.[name]
  if (!found) throw new Error(`no ${given.$ref}`)
  return resolved(found, document)
}

/** By type, by word, and by the words of its fields, as of a kind. */
function isSameKind(one: Part, other: Part, { sent, taken }: Sides): boolean {
  if (isEmpty(other)) return true
  if ('const' in other) return 'const' in one && one.const === other.const
  if ('const' in one) return typeof one.const === other.type
  if (one.type !== other.type && !(one.type === 'integer' && other.type === 'number')) return false
  return Object.entries(one.properties ?? {}).every(([name, field]) => {
    const words = [wordOf(field, sent), wordOf(other.properties?.[name] ?? {}, taken)]
    return words.includes(undefined) || words[0] === words[1]
  })
}

const wordOf = (field: Part, document: Part): unknown => resolved(field, document).const

const isEmpty = (given: Part) => Object.values(given).every((value) => value === undefined)

function nameOf(one: Part, document: Part): string {
  if ('const' in one) return JSON.stringify(one.const)
  const words = Object.values(one.properties ?? {}).flatMap((field) => wordOf(field, document) ?? [])
  return words.length > 0 ? JSON.stringify(words[0]) : (one.type?.toString() ?? 'what it is')
}
