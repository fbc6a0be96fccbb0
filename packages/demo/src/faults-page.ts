import { createHash } from 'node:crypto'
import * as states from '@vps/shared/states'

type PlayableHost = { id: string; name: string; alive: boolean; seconds: number }

const styles = `
:root { color-scheme: light dark; --page: #f6f7fb; --card: #fff; --text: #171a26; --soft: #5b6275; --line: #e3e6ef; --fill: #4f5fc4; --warn: #fff3cd; --warnText: #664d03; --bad: #b42318 }
@media (prefers-color-scheme: dark) { :root { --page: #0e1018; --card: #191c27; --text: #eceef5; --soft: #a3aabd; --line: #323747; --fill: #5667d3; --warn: #3b3112; --warnText: #ffe08a; --bad: #ff9a8f } }
* { box-sizing: border-box }
body { margin: 0; padding: 24px 16px 48px; background: var(--page); color: var(--text); font: 16px/1.6 system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif }
main { max-width: 640px; margin: 0 auto }
.note { margin: 0 0 24px; padding: 12px 16px; border-radius: 12px; background: var(--warn); color: var(--warnText) }
h1 { margin: 0 0 16px; font-size: 24px }
section { margin-bottom: 16px; padding: 20px; border: 1px solid var(--line); border-radius: 16px; background: var(--card) }
h2 { margin: 0 0 4px; font-size: 18px }
p { margin: 0 0 12px; color: var(--soft) }
ul { margin: 0; padding: 0; list-style: none }
li, .row { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 12px; padding: 10px 0; border-top: 1px solid var(--line) }
.bad { color: var(--bad) }
button { min-height: 44px; padding: 0 18px; border: 0; border-radius: 12px; background: var(--fill); color: #fff; font: inherit; font-weight: 600; cursor: pointer }
:focus-visible { outline: 3px solid var(--fill); outline-offset: 3px }
a { color: inherit }
`
/** The product's own policy allows no style in a page. */
const styleHash = createHash('sha256').update(styles).digest('base64')

/** Works without script; looks again by itself. */
export function faultsPage(hosts: readonly PlayableHost[], lateSeconds: number) {
  const playing = lateSeconds > 0 || hosts.some(({ seconds }) => seconds > 0)
  const html = `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${playing ? '<meta http-equiv="refresh" content="5">' : ''}
<title>演示故障</title>
<style>${styles}</style>
</head>
<body>
<main>
<h1>演示故障</h1>
<p class="note" role="note"><strong>仅演示环境</strong>：在这里让一台宿主机失联、让支付网关迟到，看商店、控制台与运营概览怎样应对。到时自动恢复。</p>
<section>
<h2>宿主机失联</h2>
<p>代理的消息不再送达。一分钟后它被视为失联，不再出售；上面的服务器继续运行，状态显示为未知。三分钟后恢复。</p>
<ul>${hosts.map(hostRow).join('')}</ul>
</section>
<section>
<h2>支付网关迟到</h2>
<p>两分钟内网关不通知付款，查询时也说未支付。充值保持等待，之后自动核对入账，不会重复。</p>
<div class="row"><span${lateSeconds > 0 ? ' class="bad"' : ''} role="status">${lateSeconds > 0 ? `迟到中，还有 ${lateSeconds} 秒` : states.normal}</span>
${button('/dev/faults/gateway', lateSeconds > 0 ? '立即恢复网关' : '让网关迟到')}</div>
</section>
<p><a href="/">返回首页</a> · <a href="/dev/mailbox">开发邮箱</a></p>
</main>
</body>
</html>
`
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    // Without it a form's `Origin` is `null`, which is refused.
    'referrer-policy': 'same-origin',
  }
  return { html, headers }
}

function hostRow({ id, name, alive, seconds }: PlayableHost): string {
  const state = seconds > 0 ? `断开中，还有 ${seconds} 秒` : alive ? states.online : states.offline
  const tone = seconds > 0 || !alive ? ' class="bad"' : ''
  const label = seconds > 0 ? `恢复 ${name}` : `断开 ${name}`
  return `<li><span>${escapeText(name)} · <span${tone}>${state}</span></span>${button(`/dev/faults/hosts/${id}`, label)}</li>`
}

const button = (action: string, label: string) =>
  `<form method="post" action="${action}"><button type="submit">${escapeText(label)}</button></form>`

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`)
}
