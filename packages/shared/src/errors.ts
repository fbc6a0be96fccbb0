/** All refusals: HTTP status, tRPC code, Chinese sentence. Names follow Hetzner Cloud's API where they fit. */
import * as text from './text.js'

export const errorTable = {
  INVALID_INPUT: { status: 400, trpc: 'BAD_REQUEST', message: '请求参数不正确' },
  WRONG_CURRENT_PASSWORD: { status: 400, trpc: 'BAD_REQUEST', message: text.wrongCurrentPassword },
  WRONG_CODE: { status: 400, trpc: 'BAD_REQUEST', message: '验证码错误或已过期' },
  UNKNOWN_SSH_KEY: { status: 400, trpc: 'BAD_REQUEST', message: 'SSH密钥不存在' },
  UNKNOWN_PRICE_GROUP: { status: 400, trpc: 'BAD_REQUEST', message: text.noPriceGroup },
  UNKNOWN_IMAGE: { status: 400, trpc: 'BAD_REQUEST', message: text.osRequired },
  PERIOD_NOT_SOLD: { status: 400, trpc: 'BAD_REQUEST', message: text.periodNotSold },
  UNKNOWN_RECORD: { status: 400, trpc: 'BAD_REQUEST', message: '引用的记录不存在' },
  BAD_HOST: { status: 400, trpc: 'BAD_REQUEST', message: '请求的域名不被允许' },
  UNAUTHENTICATED: { status: 401, trpc: 'UNAUTHORIZED', message: '请先登录' },
  WRONG_CREDENTIALS: { status: 401, trpc: 'UNAUTHORIZED', message: '用户名或密码错误' },
  SECOND_FACTOR_REQUIRED: { status: 401, trpc: 'UNAUTHORIZED', message: '请输入两步验证的验证码' },
  INSUFFICIENT_BALANCE: { status: 402, trpc: 'PAYMENT_REQUIRED', message: text.insufficientBalance },
  ACCOUNT_SUSPENDED: { status: 403, trpc: 'FORBIDDEN', message: '账户已停用，请联系客服' },
  FORBIDDEN: { status: 403, trpc: 'FORBIDDEN', message: '没有权限执行此操作' },
  CONSOLE_DENIED: {
    status: 403,
    trpc: 'FORBIDDEN',
    message: text.consoleDenied,
  },
  BAD_ORIGIN: { status: 403, trpc: 'FORBIDDEN', message: '请求来源不被允许' },
  NOT_FOUND: { status: 404, trpc: 'NOT_FOUND', message: '记录不存在' },
  METHOD_NOT_ALLOWED: { status: 405, trpc: 'METHOD_NOT_SUPPORTED', message: '接口不支持此方法' },
  NO_SUCH_PATH: { status: 404, trpc: 'NOT_FOUND', message: '接口不存在' },
  USERNAME_TAKEN: { status: 409, trpc: 'CONFLICT', message: '用户已存在' },
  EMAIL_TAKEN: { status: 409, trpc: 'CONFLICT', message: '邮箱已被使用' },
  IN_USE: { status: 409, trpc: 'CONFLICT', message: '仍被使用，无法删除' },
  NAME_TAKEN: { status: 409, trpc: 'CONFLICT', message: '名称已存在' },
  CONFLICT: { status: 409, trpc: 'CONFLICT', message: '数据已被修改，请刷新后重试' },
  STATE_CHANGED: { status: 409, trpc: 'CONFLICT', message: '状态已变化，请刷新后重试' },
  MOVE_NOT_ALLOWED: { status: 409, trpc: 'CONFLICT', message: '当前状态不允许此操作' },
  PRICE_CHANGED: { status: 409, trpc: 'CONFLICT', message: '价格已变更，请确认后再支付' },
  NO_STOCK: { status: 409, trpc: 'CONFLICT', message: '库存不足' },
  LOCKED: { status: 409, trpc: 'CONFLICT', message: '服务器正在执行其他操作，请稍后再试' },
  PROTECTED: { status: 409, trpc: 'CONFLICT', message: '服务器已开启保护，请先关闭保护' },
  NOT_SUPPORTED: { status: 409, trpc: 'CONFLICT', message: '该服务器不支持此操作' },
  SSH_KEY_TAKEN: { status: 409, trpc: 'CONFLICT', message: '该公钥已添加' },
  TOO_MANY_SSH_KEYS: { status: 409, trpc: 'CONFLICT', message: '最多保存50个SSH密钥' },
  REFUND_OPEN: { status: 409, trpc: 'CONFLICT', message: '该订单已有待处理的退款申请' },
  REFUND_TOO_LATE: { status: 409, trpc: 'CONFLICT', message: '仅可在开通后7天内且首个计费周期内申请退款' },
  SUSPENDED_BY_ADMIN: { status: 409, trpc: 'CONFLICT', message: '订单已被管理员暂停，请联系客服' },
  TOO_MANY_PENDING: { status: 409, trpc: 'CONFLICT', message: '待付款订单过多，请先支付或取消' },
  IDEMPOTENCY_MISMATCH: { status: 409, trpc: 'CONFLICT', message: '同一幂等键不能用于不同的请求' },
  IDEMPOTENCY_BUSY: { status: 409, trpc: 'CONFLICT', message: '相同的请求正在处理，请稍后重试' },
  RECHARGE_UNAVAILABLE: { status: 409, trpc: 'CONFLICT', message: text.rechargeUnavailable },
  MAIL_UNAVAILABLE: { status: 409, trpc: 'CONFLICT', message: '邮件服务暂未开通，请联系客服' },
  HOST_TAKEN: { status: 409, trpc: 'CONFLICT', message: '该宿主机已有另一个代理在运行' },
  PROTOCOL_TOO_OLD: { status: 409, trpc: 'CONFLICT', message: '代理版本过旧，请升级' },
  PROTOCOL_TOO_NEW: { status: 409, trpc: 'CONFLICT', message: '代理版本比门户新，请先升级门户' },
  BODY_TOO_LARGE: { status: 413, trpc: 'PAYLOAD_TOO_LARGE', message: '请求内容过大' },
  TOO_MANY_REQUESTS: { status: 429, trpc: 'TOO_MANY_REQUESTS', message: '请求过于频繁，请稍后重试' },
  INTERNAL: { status: 500, trpc: 'INTERNAL_SERVER_ERROR', message: text.serverError },
  GATEWAY_FAILED: { status: 502, trpc: 'BAD_GATEWAY', message: '支付网关暂时不可用，请稍后重试' },
  UNAVAILABLE: { status: 503, trpc: 'SERVICE_UNAVAILABLE', message: '服务暂时不可用，请稍后重试' },
  AGENT_TIMEOUT: { status: 504, trpc: 'GATEWAY_TIMEOUT', message: text.timeout },
} as const

export type ErrorCode = keyof typeof errorTable

/** REST's body, tRPC's `data`; `errors`: field to message. */
export type ErrorBody = {
  success: false
  code: ErrorCode
  message: string
  error: string
  errors?: Record<string, string>
}
