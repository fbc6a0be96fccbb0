import { remotePath } from '@vps/shared/remote'
import { createRoot } from 'react-dom/client'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { commands, page, userEvent } from 'vitest/browser'
import { dialog, pressOn } from '../../testing/act'
import { answer, callsOf, expectSound, expectSoundEverywhere, open } from '../../testing/screen'
import type { Reply, RouterOutputs, Script } from '../../testing/script'
import { details, order } from '../../testing/things'
import { PhoneKeys } from './PhoneKeys'
import type { RemoteInput } from './remote-input'

const server = details()
const address = `/remote/${server.id}`
const install: RouterOutputs['console']['install'] = {
  serverId: server.id,
  orderId: order().id,
  orderStatus: 'ACTIVE',
  wasActive: true,
  serverName: server.serverName,
  installStatus: 'COMPLETED',
  driver: 'kvm',
  jobId: null,
  kind: 'install',
  steps: [],
  percentage: 100,
  attempt: 1,
  startedAt: null,
  finishedAt: null,
  typicalSeconds: null,
  error: null,
}
type Ticket = Reply<RouterOutputs['console']['openRemote']>
const repliesOf = (...replies: Ticket[]): Script => ({
  'console.install': { data: install },
  'console.openRemote': replies,
})
const ticket = (word: string): Ticket => ({ data: { ticket: word } })
const stage = () => document.getElementById('stage')
const terminalText = () => stage()?.querySelector('.xterm-accessibility')?.textContent ?? ''

describe('a serial line', () => {
  test('shows what the machine says and sends what is typed', async () => {
    await open(`${address}?kind=serial`, repliesOf(ticket('debian')))
    await expect.poll(terminalText).toContain('debian login: ')
    await expect.element(page.getByText('已连接', { exact: true })).toBeVisible()
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent(server.serverName)
    stage()?.querySelector<HTMLTextAreaElement>('.xterm-helper-textarea')?.focus()
    await userEvent.keyboard('root')
    await expect.poll(terminalText).toContain('debian login: root')
    expect(await callsOf('console.openRemote')).toEqual([{ serverId: server.id, kind: 'serial' }])
    await expectSoundEverywhere()
  })

  test('writes no style elements, which the page’s content security policy refuses, also for its scrollbar', async () => {
    await open(`${address}?kind=serial`, repliesOf(ticket('debian')))
    await expect.poll(terminalText).toContain('login: ')
    const styles = [...(stage()?.querySelectorAll('style') ?? [])]
    expect(styles.length).toBeGreaterThan(0)
    expect(styles.filter(({ innerHTML }) => innerHTML !== '')).toEqual([])
    const slider = stage()?.querySelector('.xterm .scrollbar.vertical > .slider')
    expect(slider && getComputedStyle(slider).backgroundColor).toMatch(/^rgba?\((?!0, 0, 0, 0\))/)
  })

  test('types what is pasted, and only what a keyboard has', async () => {
    await open(`${address}?kind=serial`, repliesOf(ticket('debian')))
    await expect.poll(terminalText).toContain('login: ')
    await pressOn('粘贴文本')
    const field = dialog.getByLabelText('要输入的文本')
    await field.fill('密码 p@ss')
    await expect.element(dialog.getByText('键盘上没有这些字符：密 码')).toBeVisible()
    await expect.element(dialog.getByRole('button', { name: '输入到服务器' })).toBeDisabled()
    await expectSound()
    await field.fill('P@ss w0rd!')
    await dialog.getByRole('button', { name: '输入到服务器' }).click()
    await expect.poll(terminalText).toContain('login: P@ss w0rd!')
  })

  test('takes a whole file that is pasted, and stays open', async () => {
    await open(`${address}?kind=serial`, repliesOf(ticket('debian'), ticket('again')))
    await expect.poll(terminalText).toContain('login: ')
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', `${'一行配置\n'.repeat(10_000)}last line`)
    const field = stage()?.querySelector<HTMLTextAreaElement>('.xterm-helper-textarea')
    field?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    await expect.poll(terminalText).toContain('last line')
    await expect.element(page.getByText('已连接', { exact: true })).toBeVisible()
    expect(await callsOf('console.openRemote')).toHaveLength(1)
  })

  test('has every key but the three that take the keyboard back', async () => {
    await open(`${address}?kind=serial`, repliesOf(ticket('debian')))
    await expect.poll(terminalText).toContain('login: ')
    const field = stage()?.querySelector<HTMLTextAreaElement>('.xterm-helper-textarea')
    field?.focus()
    await userEvent.keyboard('{Tab}')
    expect(document.activeElement).toBe(field)
    await userEvent.keyboard('{Control>}{Alt>}{Shift}{/Alt}{/Control}')
    expect(document.activeElement).not.toBe(field)
    await userEvent.keyboard('{Tab}')
    await expect.element(page.getByRole('link', { name: '返回' })).toHaveFocus()
  })

  test('that says nothing tells how it is woken', async () => {
    await open(`${address}?kind=serial`, repliesOf(ticket('silent')))
    await expect.element(page.getByText('已连接。没有输出时，按 Enter 唤醒终端。')).toBeVisible()
    await expectSound()
  })

  test('has the keys that a phone lacks, with Ctrl held for the next one', async () => {
    await open(`${address}?kind=serial`, repliesOf(ticket('debian')))
    await page.viewport(390, 844)
    await expect.poll(terminalText).toContain('login: ')
    const bar = page.getByRole('toolbar', { name: '按键' })
    await bar.getByRole('button', { name: 'Ctrl' }).click()
    await expect.element(bar.getByRole('button', { name: 'Ctrl' })).toHaveAttribute('aria-pressed', 'true')
    await bar.getByRole('button', { name: '手机键盘' }).click()
    await userEvent.keyboard('gab')
    // Ctrl with g rings the bell and holds for that one alone.
    await expect.poll(terminalText).toContain('login: ab')
    await expect.element(bar.getByRole('button', { name: 'Ctrl' })).toHaveAttribute('aria-pressed', 'false')
    await expectSoundEverywhere()
  })
})

test('what a phone’s keyboard puts right, and what it goes on with at once, reaches a slow machine in its order', async () => {
  const sent: string[] = []
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const slow: RemoteInput = {
    press: (names) => void sent.push(...names),
    async type(text) {
      for (const character of text) {
        sent.push(character)
        await frame()
      }
    },
    understands: () => true,
    focus: () => undefined,
    release: () => undefined,
  }
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  root.render(<PhoneKeys input={slow} />)
  const keyboard = page.getByLabelText('手机键盘的输入')
  await expect.element(keyboard).toBeInTheDocument()
  const typed = keyboard.element()
  if (!(typed instanceof HTMLTextAreaElement)) throw new Error('a phone’s keyboard has no field')
  const filler = typed.value
  // As Android tells of a word that it corrects: within one moment.
  for (const word of ['teh', 'the', 'the ']) {
    typed.value = filler + word
    typed.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  await page.getByRole('button', { name: 'Tab' }).click()
  await expect.poll(() => sent.at(-1)).toBe('tab')
  expect(sent).toEqual(['t', 'e', 'h', 'backspace', 'backspace', 'h', 'e', ' ', 'tab'])
  root.unmount()
})

describe('an end', () => {
  test.each([
    [4001, '远程连接已在其他窗口打开'],
    [4002, '连接已满一小时，请重新打开'],
    [4003, '您已无权访问该服务器的远程连接'],
  ])('with %i stays until somebody asks anew', async (code, sentence) => {
    await open(address, repliesOf(ticket(`end.${code}`)))
    await expect.element(page.getByText(sentence)).toBeVisible()
    await expect.element(page.getByText('已断开', { exact: true })).toBeVisible()
    expect(page.getByText('正在重新连接…').elements()).toEqual([])
    await answer(repliesOf(ticket('silent')))
    await pressOn('重新连接')
    await expect.element(page.getByText('正在等待宿主机…')).toBeVisible()
    await expectSoundEverywhere()
  })

  test('that passes is tried again by itself', async () => {
    await open(`${address}?kind=serial`, repliesOf(ticket('end.4006'), 'no answer'))
    await expect.element(page.getByText('服务器已关机或正在重装，连接已断开')).toBeVisible()
    await expect.element(page.getByText('正在重新连接…')).toBeVisible()
    await expect.poll(() => callsOf('console.openRemote')).toHaveLength(2)
    await answer(repliesOf(ticket('back')))
    await expect.poll(terminalText).toContain('back login: ')
  })

  test('while a proxy answers for us, as we start anew, is tried again by itself', async () => {
    await open(`${address}?kind=serial`, repliesOf(ticket('end.4006'), 'a proxy’s page', ticket('back')))
    await expect.poll(terminalText).toContain('back login: ')
  })

  test('takes nothing of a text to be pasted: it stays, and can be typed once the machine is back', async () => {
    const opened: WebSocket[] = []
    const Plain = window.WebSocket
    vi.stubGlobal(
      'WebSocket',
      class extends Plain {
        constructor(url: string | URL, protocols?: string | string[]) {
          super(url, protocols)
          opened.push(this)
        }
      },
    )
    await open(`${address}?kind=serial`, repliesOf(ticket('debian'), 'no answer'))
    await expect.poll(terminalText).toContain('login: ')
    await pressOn('粘贴文本')
    const field = dialog.getByLabelText('要输入的文本')
    await field.fill('a long command')
    for (const socket of opened) if (socket.url.endsWith(remotePath)) socket.close()
    await expect.element(dialog.getByText('连接已断开，恢复后可以输入，文本会保留')).toBeVisible()
    await expect.element(field).toHaveValue('a long command')
    await expect.element(dialog.getByRole('button', { name: '输入到服务器' })).toBeDisabled()
    await expectSoundEverywhere()
    await answer(repliesOf(ticket('back')))
    await dialog.getByRole('button', { name: '输入到服务器' }).click()
    await expect.poll(terminalText).toContain('login: a long command')
  })

  test('before it began says why: not allowed, or no answer', async () => {
    await open(address, repliesOf({ refused: 'MOVE_NOT_ALLOWED', message: '订单未处于活跃状态，不能打开远程连接' }))
    await expect.element(page.getByText('订单未处于活跃状态，不能打开远程连接')).toBeVisible()
    expect(page.getByText('正在重新连接…').elements()).toEqual([])
    await answer(repliesOf('lost'))
    await pressOn('重新连接')
    await expect.element(page.getByText('网络连接错误')).toBeVisible()
    await expect.element(page.getByText('正在重新连接…')).toBeVisible()
  })
})

afterEach(() => commands.preferColours('light'))
