import type { Page } from '@vps/shared/page'

/** The specification's seven. A row that needs an eighth has a wrong output. */
export type Shape = { name: string; body(output: unknown): unknown; schema(output: object): object }

const message = { type: ['string', 'null'] }
const ok = { type: 'boolean', const: true }

export const data: Shape = {
  name: 'data',
  body: (output) => ({ success: true, data: output ?? null, message: null }),
  schema: (output) => ({
    type: 'object',
    required: ['success', 'data', 'message'],
    properties: { success: ok, data: output, message },
  }),
}

/** Sign-in, registration, profile. */
export const bare: Shape = { name: 'bare', body: (output) => output, schema: (output) => output }

/** Categories, groups, price groups. */
export const list: Shape = {
  name: 'list',
  body: (output) => {
    if (Array.isArray(output)) return { success: true, data: output, totalElements: output.length, message: null }
    const { content, totalElements, totalIsEstimate } = output as Page<unknown>
    return {
      success: true,
      data: content,
      totalElements,
      ...(totalIsEstimate ? { totalIsEstimate } : {}),
      message: null,
    }
  },
  schema: (output) => ({
    type: 'object',
    required: ['success', 'data', 'totalElements', 'message'],
    properties: { success: ok, data: contentOf(output), totalElements: { type: 'integer' }, message },
  }),
}

function contentOf(output: { properties?: { content?: object } }): object {
  return output.properties?.content ?? output
}

type ObjectSchema = { properties?: object; required?: string[] }

/** One object of both: each allows no other fields, so as two they would let nothing through. */
function beside(fields: object, output: object): object {
  const { properties, required = [] }: ObjectSchema = output
  return { ...output, properties: { ...fields, ...properties }, required: [...Object.keys(fields), ...required] }
}

const fieldsOf = (output: unknown): object => (typeof output === 'object' && output !== null ? output : {})

export const nameCheck: Shape = {
  name: 'nameCheck',
  body: (output) => ({ success: true, ...fieldsOf(output), data: output, message: null }),
  schema: (output) => beside({ success: ok, data: output, message }, output),
}

export const page: Shape = { ...data, name: 'page' }

/** `POST /payment/create`. */
export const paymentCreated: Shape = {
  name: 'paymentCreated',
  body: (output) => ({ success: true, ...fieldsOf(output) }),
  schema: (output) => beside({ success: ok }, output),
}

/** `GET /payment/order/{outTradeNo}`. */
export const paymentStatus: Shape = {
  name: 'paymentStatus',
  body: (output) => ({ success: true, ...fieldsOf(output), data: output, message: null }),
  schema: (output) => beside({ success: ok, data: output, message }, output),
}
