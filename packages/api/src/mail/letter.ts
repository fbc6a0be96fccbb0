/**
 * HTML and text. Mail readers keep little but tables and inline styles: those carry the light look, the style sheet
 * only recolours for dark. Nothing is fetched.
 */
import { productName } from '@vps/shared/brand'
import type { DayLevel } from '@vps/shared/status'
import type { Mail } from '../deps.js'
import { letterHead } from './letter-head.js'

export type Letter = {
  subject?: string
  /** Two to five characters. */
  mark: { word: string; tone: Tone }
  /** A countdown, lit as far as it lasts; without, one cell in the mark's tone. */
  cells?: DayLevel[]
  title: string
  lines: string[]
  facts?: [label: string, value: string][]
  code?: string
  link?: { label: string; url: string }
}

type Tone = 'primary' | 'success' | 'warning' | 'error'

/** A letter ready to be sent. */
export function letter(to: { address: string; name: string | null }, words: Letter): Mail {
  const greeting = to.name === null ? '您好：' : `${to.name}，您好：`
  return {
    to: to.address,
    subject: words.subject ?? words.title,
    text: asText(greeting, words),
    html: asHtml(greeting, words),
  }
}

const automatic = '此邮件由系统自动发送，请勿直接回复。'

function asText(greeting: string, { lines, facts = [], code, link }: Letter): string {
  return [
    greeting,
    ...lines,
    ...(facts.length > 0 ? [facts.map(([label, value]) => `${label}：${value}`).join('\n')] : []),
    ...(code === undefined ? [] : [`验证码：${code}`]),
    ...(link === undefined ? [] : [`${link.label}：${link.url}`]),
    `${productName}\n${automatic}`,
  ].join('\n\n')
}

function asHtml(greeting: string, letter: Letter): string {
  const { mark, cells = toneCells[mark.tone], title, subject = title, lines, facts = [], code, link } = letter
  return [
    `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>${escape(subject)}</title>`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">`,
    `<style>${darkSheet}</style></head>`,
    `<body class="page" style="margin:0;padding:0;background:#f6f7fb;${font}">`,
    // A list's preview; the blanks keep other text out.
    `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escape(lines[0] ?? '')}${'&#8199;&#65279;'.repeat(60)}</div>`,
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="page" style="background:#f6f7fb"><tr><td align="center" style="padding:24px 12px 32px">`,
    `<table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:560px;text-align:left">`,
    letterHead(font, cells),
    `<tr><td class="card line" style="padding:28px 28px 32px;background:#ffffff;border:1px solid #e1e5ef;border-top:0;border-radius:0 0 12px 12px">`,
    `<p style="margin:0 0 12px;${font}"><span class="${mark.tone}" style="display:inline-block;padding:2px 10px;border-radius:12px;font-size:12px;line-height:18px;font-weight:600;${tones[mark.tone]}">${escape(mark.word)}</span></p>`,
    `<h1 class="ink" style="margin:0 0 20px;${font};font-size:20px;line-height:28px;font-weight:600;color:#1a1f33">${escape(title)}</h1>`,
    ...[greeting, ...lines].map((line) => paragraph(escape(line))),
    facts.length > 0 ? factTable(facts) : '',
    code === undefined ? '' : codeBox(code),
    link === undefined ? '' : button(link),
    `</td></tr><tr><td class="dim" style="padding:16px 4px 0;${font};font-size:12px;line-height:18px;color:#5f6780">${automatic}</td></tr>`,
    `</table></td></tr></table></body></html>`,
  ].join('')
}

const font = `font-family:-apple-system,'Segoe UI','PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif`

const tones: Record<Tone, string> = {
  primary: 'background:#edf0fc;color:#4f63cd',
  success: 'background:#e5f5ec;color:#027c3f',
  warning: 'background:#fff8e1;color:#896603',
  error: 'background:#fceae8;color:#ca2e22',
}

const toneCells: Record<Tone, DayLevel[]> = { primary: [], success: ['good'], warning: ['minor'], error: ['major'] }

const darkSheet =
  '@media (prefers-color-scheme:dark){' +
  '.page{background:#0e1018!important}.card{background:#161925!important}.well{background:#0a0c13!important}' +
  '.line{border-color:#2a2f42!important}.ink{color:#e8eaf3!important}.dim{color:#b4bacd!important}' +
  '.primary{background:#242b48!important;color:#748efb!important}.success{background:#193430!important;color:#27ae60!important}' +
  '.warning{background:#403720!important;color:#ffc107!important}.error{background:#3c2229!important;color:#f95d4c!important}' +
  '.code{color:#748efb!important}}'

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const paragraph = (html: string) =>
  `<p class="ink" style="margin:0 0 12px;${font};font-size:14px;line-height:24px;color:#1a1f33;overflow-wrap:anywhere">${html}</p>`

function factTable(facts: [string, string][]): string {
  const cell = `padding:8px 0;border-top:1px solid #e1e5ef;${font};font-size:14px;line-height:22px;vertical-align:top`
  const rows = facts.map(
    ([label, value]) =>
      `<tr><td class="dim line" width="96" style="${cell};width:96px;color:#5f6780">${escape(label)}</td>` +
      `<td class="ink line" style="${cell};color:#1a1f33;overflow-wrap:anywhere">${escape(value)}</td></tr>`,
  )
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:20px 0 8px;table-layout:fixed">${rows.join('')}</table>`
}

const codeBox = (code: string) =>
  `<p class="well code" style="margin:20px 0 8px;padding:16px 0;border-radius:8px;background:#f6f7fb;text-align:center;font:600 32px/40px Consolas,Menlo,monospace;letter-spacing:8px;text-indent:8px;color:#4f63cd">${escape(code)}</p>`

/** Some readers drop a link's padding. */
const button = ({ label, url }: { label: string; url: string }) =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin-top:24px"><tr><td bgcolor="#566bd5" style="border-radius:6px;background:#566bd5">` +
  `<a href="${escape(url)}" style="display:inline-block;padding:10px 24px;border-radius:6px;${font};font-size:14px;line-height:24px;font-weight:600;color:#ffffff;text-decoration:none">${escape(label)}</a></td></tr></table>` +
  `<p class="dim" style="margin:16px 0 0;${font};font-size:12px;line-height:18px;color:#5f6780;word-break:break-all">如果按钮无法打开，请复制此链接：${escape(url)}</p>`
