import type { Confirmation } from '@vps/shared/payments'
import type { ToastTone } from '../../../ui/toast'

export const outcomeWords: Record<Confirmation, [kind: ToastTone, words: string]> = {
  credited: ['success', '网关确认已支付，余额已到账'],
  already: ['success', '该支付此前已到账'],
  overpaid: ['error', '网关又收到一笔付款，未重复入账，请人工核对'],
  mismatch: ['error', '网关的金额或支付方式与订单不一致，未入账，请人工核对'],
  unknown: ['error', '没有这笔支付'],
  unpaid: ['info', '网关尚未收到这笔付款'],
  unreachable: ['error', '网关没有给出结果，请稍后再查；一直如此时请检查 EPAY_URL'],
  silent: ['error', '网关没有在限定时间内答复，请稍后再查'],
  unclear: ['error', '网关的答复无法确认是否收到这笔付款，未入账，请在其后台核对'],
  rejected: ['error', '网关不认可商户号或密钥，请检查 EPAY_PID 与 EPAY_KEY'],
  inside: ['error', 'EPAY_URL 指向内网地址，需在 ALLOWED_NETWORKS 中允许'],
  unconfigured: ['error', '收款商户已不在配置中，无法查询，请在其后台核对'],
}
