import { errorTable, type ErrorBody, type ErrorCode } from '@vps/shared/errors'
import { sentenceOf } from '@vps/shared/issues.contract'
import pg from 'pg'
import * as z from 'zod'

export type RefusalDetails = {
  /** Chinese; instead of the table's sentence, or the first field's. */
  message?: string
  /** Field to message. */
  errors?: Record<string, string>
  about?: string | undefined
  retryAfterSeconds?: number
  /** The database's words, for the log only. */
  cause?: Error | undefined
}

/** Anything else is a bug: 500, logged once, its text never leaves. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: ErrorCode
  readonly details: RefusalDetails
  constructor(code: ErrorCode, details: RefusalDetails = {}) {
    super(details.message ?? (code === 'INVALID_INPUT' ? firstOf(details) : undefined) ?? errorTable[code].message)
    this.code = code
    this.details = details
  }
}

const firstOf = ({ errors = {} }: RefusalDetails) => Object.values(errors)[0]

/** Refuses. */
export function fail(code: ErrorCode, details?: RefusalDetails): never {
  throw new Refusal(code, details)
}

/** By constraint. */
const violations: Record<string, ErrorCode> = {
  users_username_key: 'USERNAME_TAKEN',
  users_email_key: 'EMAIL_TAKEN',
  wallets_balance_fen_not_negative: 'INSUFFICIENT_BALANCE',
  ledger_entries_after_fen_not_negative: 'INSUFFICIENT_BALANCE',
  ledger_entries_type_reference_unique: 'STATE_CHANGED',
  orders_stand_as_seen: 'STATE_CHANGED',
  hosts_capacity_cpu: 'NO_STOCK',
  hosts_capacity_memory: 'NO_STOCK',
  hosts_capacity_disk: 'NO_STOCK',
  images_os_key: 'NAME_TAKEN',
  images_file_key: 'NAME_TAKEN',
  hosts_name_unique: 'NAME_TAKEN',
  ip_pools_name_unique: 'NAME_TAKEN',
  addresses_pkey: 'NAME_TAKEN',
  ip_pools_prefixes_apart: 'NAME_TAKEN',
  ip_pools_nat_ports_apart: 'NAME_TAKEN',
  categories_name_unique: 'NAME_TAKEN',
  server_groups_category_id_name_unique: 'NAME_TAKEN',
  price_groups_name_unique: 'NAME_TAKEN',
  dedicated_servers_address_unique: 'NAME_TAKEN',
  servers_ip_key: 'NAME_TAKEN',
  ssh_keys_user_id_fingerprint_unique: 'SSH_KEY_TAKEN',
  refund_requests_open_key: 'REFUND_OPEN',
  order_upgrades_open_key: 'LOCKED',
  jobs_running_key: 'LOCKED',
  jobs_queued_key: 'LOCKED',
  jobs_one_backup_per_host: 'LOCKED',
  site_settings_pkey: 'CONFLICT',
  reverse_dns_pkey: 'CONFLICT',
  backup_repositories_current_key: 'CONFLICT',
  backup_repositories_url_unique: 'CONFLICT',
}

/** What is taken, if not the name: the field, and a sentence. */
const taken: Record<string, [string, string]> = {
  images_os_key: ['osVersion', '该系统的此版本已有启用的镜像'],
  images_file_key: ['file', '该文件已属于其他镜像'],
  addresses_pkey: ['network', '其中有地址已属于其他 IP 池'],
  ip_pools_prefixes_apart: ['network', '与其他 IP 池的网段重叠'],
  ip_pools_nat_ports_apart: ['nat.firstPort', '其中有端口已属于其他 IP 池'],
  dedicated_servers_address_unique: ['ip', '该地址和端口已有服务器'],
}

/** Unholdable characters, texts, JSON, numbers (PostgreSQL, appendix A): the net below the contracts. */
const unholdable = new Set(['22021', '22P02', '22P05', '22003'])

/** Null for a bug. */
export function toRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error
  if (error instanceof z.ZodError) return invalidInput(error)
  if (error instanceof pg.DatabaseError) {
    if (error.code === '55P03') return new Refusal('IDEMPOTENCY_BUSY') // lock_timeout: only `inTxOnce` sets one
    if (unholdable.has(error.code ?? '')) return new Refusal('INVALID_INPUT')
    if (error.code === '23503') return referenceRefusal(error)
    if (cannotServe(error.code ?? '')) return unavailable(error)
    const constraint = error.constraint ?? ''
    const [code, of] = [violations[constraint], taken[constraint]]
    return code ? new Refusal(code, of && { message: of[1], errors: { [of[0]]: of[1] } }) : null
  }
  if (!(error instanceof Error)) return null
  if (isAway(error)) return unavailable()
  return isShut(error) ? unavailable(error) : null
}

/**
 * It goes, is full, slow, its disk fails, lets the shop in no more (classes of appendix A), is gone by its name, read
 * only, ended a pause or what took long, or this for others each time (`inTx`).
 */
const cannotServe = (code: string) =>
  /^(08|28|53|57|58)/.test(code) || ['3D000', '25006', '25P03', '25P04', '40001', '40P01'].includes(code)
const awaySockets = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT'])
const awayWords =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/

function isAway({ code, syscall, message }: NodeJS.ErrnoException): boolean {
  return awayWords.test(message) || (syscall !== undefined && awaySockets.has(code ?? ''))
}

/** New connections alone fail by its name, the way to it or its certificate: what watches it, over an old one, tells nobody. */
const isShut = ({ code = '', message }: NodeJS.ErrnoException) =>
  ['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code) ||
  /CERT|^ERR_TLS|^UNABLE_TO/.test(code) ||
  /^SASL|SSL connection/.test(message)

const retrySeconds = 2
/** Nothing unconfirmed was done; may be repeated. */
export const unavailable = (cause?: Error) => new Refusal('UNAVAILABLE', { retryAfterSeconds: retrySeconds, cause })

/**
 * Deletes what is referred to, or refers to what is missing. In every language of the server the detail names the other
 * table; the error's own only in the first case.
 */
function referenceRefusal(error: pg.DatabaseError): Refusal {
  const named: readonly string[] = error.detail?.match(/[a-z_]+/g) ?? []
  if (!named.includes(error.table ?? '')) return new Refusal('UNKNOWN_RECORD')
  const dependents: Record<string, string> = {
    server_groups: '仍有服务器分组',
    price_groups: '仍有价格组',
    servers: '仍有服务器',
    orders: '仍有订单',
    host_groups: '仍有宿主机',
  }
  const what = dependents[error.table ?? '']
  return new Refusal('IN_USE', what ? { message: `${what}使用此项，无法删除` } : {})
}

/** A sentence per field. */
export function invalidInput(error: z.ZodError): Refusal {
  const errors: Record<string, string> = {}
  for (const issue of error.issues) {
    const named = `${nameIn(issue.path) ?? '参数'} `
    errors[issue.path.join('.') || 'input'] ??= isLeftOut(issue) ? `${named}为必填项` : sentenceOf(issue, named)
  }
  return new Refusal('INVALID_INPUT', { errors })
}

/** Where the contract has no sentence of its own, zod tells it so alone. */
const isLeftOut = ({ code, message }: z.core.$ZodIssue) =>
  code === 'invalid_type' && message.endsWith('received undefined')

const nameIn = (path: readonly PropertyKey[]) => path.findLast((part) => typeof part === 'string')

/** A refused call's body, the same everywhere. */
export function errorBody(refusal: Refusal): ErrorBody {
  const { code, message, details } = refusal
  return { success: false, code, message, error: message, ...(details.errors ? { errors: details.errors } : {}) }
}
