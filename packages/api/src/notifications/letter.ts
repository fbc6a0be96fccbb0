import type { Mail } from '../deps.js'

export type Letter = { subject: string; lines: string[]; code?: string; link?: { label: string; url: string } }

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A letter with the product's look, as HTML and as text. Mail readers know no style sheets: every style is inline. */
export function letter(to: { address: string; name: string }, { subject, lines, code, link }: Letter): Mail {
  const greeting = `${to.name}，您好：`
  const paragraph = 'margin:0 0 16px;font-size:14px;line-height:22px;color:#1a1f33'
  const html = [
    `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>${escape(subject)}</title></head>`,
    `<body style="margin:0;padding:24px 12px;background:#f6f7fb;font-family:'PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif">`,
    `<div style="max-width:520px;margin:0 auto;background:#ffffff;border:1px solid #e1e5ef;border-radius:8px;overflow:hidden">`,
    `<div style="padding:16px 24px;background:#5067e0;color:#ffffff;font-size:16px;font-weight:600">云服务器</div>`,
    `<div style="padding:24px"><h1 style="margin:0 0 16px;font-size:20px;line-height:28px;color:#1a1f33">${escape(subject)}</h1>`,
    ...[greeting, ...lines].map((line) => `<p style="${paragraph}">${escape(line)}</p>`),
    code === undefined
      ? ''
      : `<p style="margin:0 0 16px;font:600 32px/40px Consolas,monospace;letter-spacing:6px;color:#4f63cd">${escape(code)}</p>`,
    link === undefined
      ? ''
      : `<p style="margin:0"><a href="${escape(link.url)}" style="display:inline-block;padding:8px 20px;border-radius:6px;background:#566bd5;color:#ffffff;font-size:14px;line-height:22px;text-decoration:none">${escape(link.label)}</a></p>`,
    `</div></div><p style="max-width:520px;margin:16px auto 0;font-size:12px;line-height:18px;color:#5f6780">此邮件由系统自动发送，请勿直接回复。</p>`,
    `</body></html>`,
  ].join('')
  const text = [
    greeting,
    ...lines,
    ...(code === undefined ? [] : [`验证码：${code}`]),
    ...(link === undefined ? [] : [`${link.label}：${link.url}`]),
  ].join('\n\n')
  return { to: to.address, subject, text, html }
}
