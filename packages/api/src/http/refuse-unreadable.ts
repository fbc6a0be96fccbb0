import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { errorBody, Refusal } from '../errors.js'

/**
 * What Node.js cannot read as a request comes to no route
 * ([clientError](https://nodejs.org/docs/latest-v24.x/api/http.html#event-clienterror)): the body of every refusal, and
 * the connection's end.
 */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const { status, message } = known[error.code ?? ''] ?? { status: 400, message: '请求格式有误' }
  const body = Buffer.from(JSON.stringify(errorBody(new Refusal('INVALID_INPUT', { message }))))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-length: ${body.length}`,
    'content-type: application/json; charset=utf-8',
    'connection: close',
  ]
  if (socket.writable) socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]))
  socket.destroy(error)
}

const known: Record<string, { status: number; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: '请求超时，请重试' },
  HPE_HEADER_OVERFLOW: { status: 431, message: '请求地址或请求头过长' },
}
