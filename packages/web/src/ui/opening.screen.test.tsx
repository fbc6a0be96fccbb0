import { lazy, Suspense, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ThemeProvider } from '../theme/ThemeProvider'
import { Dialog } from './Dialog'
import { Menu } from './Menu'
import { Opening } from './Opening'

let come: () => void
let end: () => void

beforeEach(() => {
  const code = new Promise<void>((resolve) => (come = resolve))
  const First = late(code, '先按的')
  const Second = late(Promise.resolve(), '后按的')
  function Screen() {
    const [first, setFirst] = useState(false)
    const [second, setSecond] = useState(false)
    return (
      <ThemeProvider>
        <button onClick={() => setFirst(true)}>先</button>
        <button onClick={() => setSecond(true)}>后</button>
        <p>文字</p>
        <Menu
          label="菜单"
          trigger={<button>菜单</button>}
          entries={[{ id: 'a', label: '先', onAction: () => setFirst(true) }]}
        />
        {first && (
          <Opening onGiveUp={() => setFirst(false)}>
            <First onClose={() => setFirst(false)} />
          </Opening>
        )}
        {second && (
          <Suspense fallback={null}>
            <Second onClose={() => setSecond(false)} />
          </Suspense>
        )}
      </ThemeProvider>
    )
  }
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  root.render(<Screen />)
  end = () => root.unmount()
})

afterEach(() => end())

function late(code: Promise<void>, title: string) {
  return lazy(async () => {
    await code
    return {
      default: ({ onClose }: { onClose: () => void }) => (
        <Dialog open title={title} onClose={onClose}>
          <p>{title}</p>
        </Dialog>
      ),
    }
  })
}

const opened = () =>
  page
    .getByRole('dialog')
    .elements()
    .map((one) => one.querySelector('h2')?.textContent)
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

test('what is pressed before its code has come opens when it comes, also where it is pressed again', async () => {
  await press('先')
  await press('先')
  await page.getByText('文字').click()
  come()
  await expect.poll(opened).toEqual(['先按的'])
})

test('what an entry of a menu opens comes later all the same', async () => {
  await press('菜单')
  await page.getByRole('menuitem', { name: '先' }).click()
  come()
  await expect.poll(opened).toEqual(['先按的'])
})

test('what is still to open when something else is pressed does not open beside it', async () => {
  await press('先')
  await press('后')
  await expect.poll(opened).toEqual(['后按的'])
  come()
  await userEvent.keyboard('{Escape}')
  await expect.poll(opened).toEqual([])
})

test('Escape gives up what is still to open, and leaves what is open', async () => {
  await press('后')
  await expect.poll(opened).toEqual(['后按的'])
  // Something on the screen asks for it.
  page
    .getByRole('button', { name: '先', exact: true, includeHidden: true })
    .element()
    .dispatchEvent(new MouseEvent('click', { bubbles: true }))
  await userEvent.keyboard('{Escape}')
  await expect.poll(opened).toEqual(['后按的'])
  await userEvent.keyboard('{Escape}')
  await expect.poll(opened).toEqual([])
  come()
  await press('先')
  await expect.poll(opened).toEqual(['先按的'])
})
