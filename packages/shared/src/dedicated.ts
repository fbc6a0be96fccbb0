import * as text from './text.js'

/** Why a test of a dedicated server did not get in. `not-done`: logged in, and no command ran. */
export const testFailures = [
  'unreachable',
  'refused',
  'changed-host-key',
  'not-done',
  'unreadable-secret',
  'not-allowed',
] as const
export type TestFailure = (typeof testFailures)[number]
/** For staff. */
export const testFailureNames: Record<TestFailure, string> = {
  unreachable: 'SSH 没有响应',
  refused: '拒绝登录：用户名或密码不符',
  'changed-host-key': '主机密钥已改变',
  'not-done': '可以登录，但不能执行命令',
  'unreadable-secret': text.unreadablePassword,
  'not-allowed': '地址属于未被允许的网络',
}
