import fc, { type Arbitrary } from 'fast-check'

type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  enum?: unknown[]
  const?: unknown
  format?: string
}

const nastyTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '%00',
  '%',
  "'; drop table users; --",
  '../../etc/passwd',
  '__proto__',
  'NaN',
  '1e400',
  '9'.repeat(40),
  '2026-02-30T25:61:61Z',
  '294277-01-01T00:00:00Z',
  '1.2.3.4/33',
  '\u202e',
  '👩‍👩‍👧‍👦',
  'A'.repeat(5000),
]
const nastyNumbers = [
  0,
  -1,
  0.1,
  1e-7,
  2 ** 31,
  2 ** 31 - 1,
  -(2 ** 31) - 1,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
  1e308,
  9_999_999_999,
]

/** Mostly. `known` gives existing values by field name, to get beyond "not found". */
export function arbitraryOf(schema: Schema, known: Record<string, Arbitrary<unknown>>, name = ''): Arbitrary<unknown> {
  const fitting = fittingOf(schema, known, name)
  const sample = known[name]
  return fc.oneof({ weight: 8, arbitrary: fitting }, ...(sample ? [{ weight: 12, arbitrary: sample }] : []), {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(...nastyTexts, ...nastyNumbers, null, [], {}, true),
  })
}

function fittingOf(schema: Schema, known: Record<string, Arbitrary<unknown>>, name: string): Arbitrary<unknown> {
  const options = schema.anyOf ?? schema.oneOf
  if (options) return fc.oneof(...options.map((option) => arbitraryOf(option, known, name)))
  if (schema.allOf?.[0]) return fittingOf(schema.allOf[0], known, name)
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch ([schema.type].flat()[0] ?? 'anything') {
    case 'object':
      return objectOf(schema, known)
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}, known, name), { maxLength: 3 })
    case 'string':
      return textOf(schema)
    case 'integer':
      return fc.oneof(fc.integer({ min: 0, max: 100 }), fc.maxSafeInteger(), fc.constantFrom(...nastyNumbers))
    case 'number':
      return fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.double({ noNaN: true }), fc.constantFrom(...nastyNumbers))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue()
  }
}

function textOf({ format }: Schema): Arbitrary<unknown> {
  if (format === 'uuid') return fc.uuid()
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  return fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(...nastyTexts),
  )
}

function objectOf({ properties = {}, required = [] }: Schema, known: Record<string, Arbitrary<unknown>>) {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, arbitraryOf(schema, known, name)]),
  )
  // Required fields are left out by other values.
  return fc.record(fields, { requiredKeys: required.filter((name) => name in fields) })
}
