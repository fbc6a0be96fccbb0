type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  $ref?: string
}
type Content = { content?: { 'application/json'?: { schema: Schema } }; $ref?: string }
type Operation = {
  summary: string
  description: string
  security: object[]
  parameters?: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: Content & { required: boolean }
  responses: Record<string, Content>
}

const width = 120

/** A repeated shape is printed once and named. */
export function outline(paths: Record<string, object>, schemas: Record<string, object>): string {
  const shapes = new Map<string, string>()
  const blocks = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) =>
      outlineOperation(`${method.toUpperCase()} ${path}`, operation, shapes),
    ),
  )
  const named = Object.entries(schemas).map(([name, schema]) => `${name}: ${print(schema as Schema, name, shapes)}`)
  return `${[...named, ...blocks].join('\n\n').replaceAll(/ +$/gm, '')}\n`
}

function outlineOperation(name: string, operation: Operation, shapes: Map<string, string>): string {
  const { summary, description, security, parameters = [], requestBody, responses } = operation
  const lines = parameters.map(
    (one) => `${one.in} ${one.name}${one.required ? '' : '?'}: ${print(one.schema, `${name} ${one.name}`, shapes)}`,
  )
  if (requestBody)
    lines.push(`body${requestBody.required ? '' : '?'} ${printContent(requestBody, `${name} body`, shapes)}`)
  for (const [status, reply] of Object.entries(responses))
    lines.push(`${status} ${printContent(reply, `${name} ${status}`, shapes)}`)
  return [
    `${name}  ${summary}  (${security.length > 0 ? '' : '无需令牌。'}${description})`,
    ...lines.map((line) => line.replaceAll(/^/gm, '  ')),
  ].join('\n')
}

function printContent(content: Content, place: string, shapes: Map<string, string>): string {
  const json = content.content?.['application/json']
  const file = Object.keys(content.content ?? {}).join()
  return json ? print(json.schema, place, shapes) : file || nameOf(content.$ref ?? '')
}

function print(schema: Schema, place: string, shapes: Map<string, string>): string {
  const inner = (other: Schema, below = '') => print(other, `${place}${below}`, shapes)
  const { type, items, anyOf, oneOf, allOf } = schema
  const said = printLimits(schema)
  if (schema.$ref) return nameOf(schema.$ref)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return printUnion(schema.enum.map((one) => JSON.stringify(one)))
  const union = anyOf ?? oneOf
  if (union) return union.map((one) => inner(one)).join(' | ') + said
  if (allOf) return allOf.map((one) => inner(one)).join(' & ')
  if (type === 'array') return `${inner(items ?? {}, '[]')}[]${said}`
  if (type === 'object') return printObject(schema, place, shapes) + said
  return `${[type ?? 'any'].flat().join(' | ')}${said}`
}

function printObject(
  { properties = {}, required = [], additionalProperties }: Schema,
  place: string,
  shapes: Map<string, string>,
): string {
  const key = JSON.stringify([properties, required, additionalProperties])
  const first = shapes.get(key)
  if (first && Object.keys(properties).length > 2) return `(as ${first})`
  shapes.set(key, place)
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${print(schema, `${place}.${name}`, shapes)}`,
  )
  if (typeof additionalProperties === 'object')
    fields.push(`[name]: ${print(additionalProperties, `${place}.[name]`, shapes)}`)
  const line = `{ ${fields.join('; ')} }`
  if (line.length <= width && !line.includes('\n')) return fields.length > 0 ? line : '{}'
  return `{\n${fields.map((field) => field.replaceAll(/^/gm, '  ')).join('\n')}\n}`
}

function printUnion(values: string[]): string {
  const line = values.join(' | ')
  return line.length <= width ? line : values.map((value) => `\n  | ${value}`).join('')
}

const shaping = 'type properties required additionalProperties items anyOf oneOf allOf enum const $ref'.split(' ')

/** A format says more than its pattern. */
function printLimits(schema: Schema): string {
  const said = Object.entries(schema).filter(
    ([name, limit]) =>
      !shaping.includes(name) &&
      !(name === 'pattern' && 'format' in schema) &&
      Math.abs(Number(limit)) !== Number.MAX_SAFE_INTEGER,
  )
  return said.length > 0 ? ` (${said.map(([name, limit]) => `${name} ${JSON.stringify(limit)}`).join(', ')})` : ''
}

const nameOf = (reference: string): string => reference.split('/').at(-1) ?? ''
