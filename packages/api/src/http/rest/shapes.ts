import type { Page } from '@vps/shared/page'

/**
 * The seven shapes in which the specification prints replies. If a row seems to need an eighth, the procedure's output
 * is wrong. Each takes what the procedure gave and makes the body.
 */
export type Shape = { name: string; body(output: unknown): unknown; schema(output: object): object }

const message = { type: ['string', 'null'] }
const ok = { type: 'boolean', const: true }

/** `{success, data, message}`. */
export const data: Shape = {
  name: 'data',
  body: (output) => ({ success: true, data: output ?? null, message: null }),
  schema: (output) => ({
    type: 'object',
    required: ['success', 'data', 'message'],
    properties: { success: ok, data: output, message },
  }),
}

/** The output as it is: sign-in, registration, profile. */
export const bare: Shape = { name: 'bare', body: (output) => output, schema: (output) => output }

/** A list or a page of one with its length beside it: categories, groups, price groups. */
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

const fieldsOf = (output: unknown): object => (typeof output === 'object' && output !== null ? output : {})

/** `{success, exists, data:{exists}}`: the name check. */
export const nameCheck: Shape = {
  name: 'nameCheck',
  body: (output) => ({ success: true, ...fieldsOf(output), data: output, message: null }),
  schema: (output) => ({
    allOf: [
      { type: 'object', required: ['success', 'data'], properties: { success: ok, data: output, message } },
      output,
    ],
  }),
}

/** `{success, data:{content, totalElements, totalPages, number, size}, message}`. */
export const page: Shape = { ...data, name: 'page' }

/** `POST /payment/create`: code, msg, qrCode, payUrl, outTradeNo beside success. */
export const paymentCreated: Shape = {
  name: 'paymentCreated',
  body: (output) => ({ success: true, ...fieldsOf(output) }),
  schema: (output) => ({ allOf: [{ type: 'object', required: ['success'], properties: { success: ok } }, output] }),
}

/** `GET /payment/order/{outTradeNo}`: the order's fields beside success, and once more under data. */
export const paymentStatus: Shape = {
  name: 'paymentStatus',
  body: (output) => ({ success: true, ...fieldsOf(output), data: output, message: null }),
  schema: (output) => ({
    allOf: [
      { type: 'object', required: ['success', 'data'], properties: { success: ok, data: output, message } },
      output,
    ],
  }),
}
