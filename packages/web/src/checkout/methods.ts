import { paymentMethods } from '@vps/shared/payments'
import {
  Bitcoin,
  CircleDollarSign,
  Landmark,
  MessageCircle,
  QrCode,
  ShoppingCart,
  Smile,
  type LucideIcon,
} from 'lucide-react'

export const methodIcons: Record<(typeof paymentMethods)[number]['icon'], LucideIcon> = {
  alipay: QrCode,
  wxpay: MessageCircle,
  qqpay: Smile,
  bank: Landmark,
  jdpay: ShoppingCart,
  paypal: CircleDollarSign,
  usdt: Bitcoin,
}

/** An unknown code stands for itself. */
export const methodName = (code: string): string => paymentMethods.find((method) => method.code === code)?.name ?? code
