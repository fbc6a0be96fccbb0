import * as labels from '@vps/shared/labels'
import { paymentMethods } from '@vps/shared/payments'
import * as text from '@vps/shared/text'
import type { SandboxOrder } from './orders.js'

const methodNames: Record<string, string> = Object.fromEntries(paymentMethods.map(({ code, name }) => [code, name]))
export const methods = Object.keys(methodNames)

/** Works without scripts. */
export function payPage(order: SandboxOrder): string {
  return page(
    '收银台',
    `<p class="amount"><span>¥</span>${escapeText(order.money)}</p>
    ${details(order)}
    <form method="post" action="${escapeText(order.tradeNo)}/confirm"><button type="submit">确认支付</button></form>
    <p class="hint">不想支付？关闭本页即可，订单不会扣款。</p>`,
  )
}

/** After the payment; a click leads back. */
export function paidPage(order: SandboxOrder, backUrl: string): string {
  return page(
    text.paySucceeded,
    `<p class="done" role="status">✓ 已支付 ¥${escapeText(order.money)}</p>
    ${details(order)}
    <a class="button" href="${escapeText(backUrl)}">返回商户</a>`,
  )
}

export function messagePage(title: string, text: string): string {
  return page(title, `<p class="hint">${escapeText(text)}</p>`)
}

function details(order: SandboxOrder): string {
  const rows = [
    ['商品', order.name],
    [labels.paymentMethod, methodNames[order.type] ?? order.type],
    ['商户订单号', order.outTradeNo],
    [labels.transactionNumber, order.tradeNo],
  ]
  return `<dl>${rows.map(([name, value]) => `<div><dt>${name}</dt><dd>${escapeText(value ?? '')}</dd></div>`).join('')}</dl>`
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · 支付沙箱</title>
<style>${styles}</style>
</head>
<body>
<main>
<p class="sandbox" role="note"><strong>沙箱环境</strong>：这里不会产生真实扣款，仅供演示和测试。</p>
<section>
<h1>${title}</h1>
${content}
</section>
</main>
</body>
</html>
`
}

const styles = `
:root { color-scheme: light dark; --page: #f4f5f9; --card: #fff; --text: #1c2130; --soft: #5b6275; --line: #e3e6ef; --fill: #4f5fc4; --warn: #fff3cd; --warnText: #664d03; --good: #1b7a43 }
@media (prefers-color-scheme: dark) { :root { --page: #14161d; --card: #1e212b; --text: #eceef5; --soft: #a3aabd; --line: #323747; --fill: #5667d3; --warn: #3b3112; --warnText: #ffe08a; --good: #5fd08f } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px 16px; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif }
main { width: 100%; max-width: 420px }
.sandbox { margin: 0 0 16px; padding: 12px 16px; border-radius: 12px; background: var(--warn); color: var(--warnText) }
section { padding: 24px; border: 1px solid var(--line); border-radius: 16px; background: var(--card) }
h1 { margin: 0; font-size: 18px; font-weight: 600 }
.amount { margin: 12px 0 20px; font-size: 40px; font-weight: 650; font-variant-numeric: tabular-nums; line-height: 1.1 }
.amount span { font-size: 22px; margin-right: 4px }
.done { margin: 16px 0 20px; font-size: 20px; font-weight: 600; color: var(--good) }
dl { margin: 0 0 24px }
dl div { display: flex; justify-content: space-between; gap: 16px; padding: 10px 0; border-top: 1px solid var(--line); font-size: 14px }
dt { color: var(--soft); flex: none }
dd { margin: 0; text-align: right; overflow-wrap: anywhere; font-variant-numeric: tabular-nums }
button, .button { display: block; width: 100%; padding: 13px; border: 0; border-radius: 12px; background: var(--fill); color: #fff; font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer }
button:hover, .button:hover { filter: brightness(1.08) }
:focus-visible { outline: 3px solid var(--fill); outline-offset: 3px }
.hint { margin: 16px 0 0; font-size: 14px; color: var(--soft); text-align: center }
`

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`)
}
