export const mailTemplates = [
  'orderActive',
  'orderRefunded',
  'refundRejected',
  'renewalFailed',
  'orderSuspended',
  'orderResumed',
  'hostLost',
  'orderRebuilt',
  'orderExpired',
  'orderExpiring',
  'balanceAdjusted',
  'operatorAlert',
  'resetCode',
  'emailTakeBack',
  'emailConfirm',
  'passwordChanged',
  'secondFactor',
] as const
export type MailTemplate = (typeof mailTemplates)[number]
export const mailTemplateNames: Record<MailTemplate, string> = {
  orderActive: '开通通知',
  orderRefunded: '退款通知',
  refundRejected: '退款未通过通知',
  renewalFailed: '续费失败通知',
  orderSuspended: '暂停通知',
  orderResumed: '恢复通知',
  hostLost: '宿主机损坏通知',
  orderRebuilt: '重建通知',
  orderExpired: '到期通知',
  orderExpiring: '到期提醒',
  balanceAdjusted: '余额调整通知',
  operatorAlert: '告警通知',
  resetCode: '密码验证码',
  emailTakeBack: '邮箱更改提醒',
  emailConfirm: '邮箱确认',
  passwordChanged: '密码修改提醒',
  secondFactor: '两步验证提醒',
}

/** `failed` is tried again; `dropped`: there was nothing to say any more. */
export const mailStatuses = ['queued', 'sent', 'failed', 'dropped'] as const
export type MailStatus = (typeof mailStatuses)[number]
export const mailStatusNames: Record<MailStatus, string> = {
  queued: '等待发送',
  sent: '已发送',
  failed: '发送失败',
  dropped: '无需发送',
}
