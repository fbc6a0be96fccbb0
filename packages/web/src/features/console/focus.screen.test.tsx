import { expect, test } from 'vitest'
import { consoleAddress, consoleReads } from '../../testing/customers-acts'
import { answer, main, open } from '../../testing/screen'
import { details } from '../../testing/things'

const button = (name: string) => main().getByRole('button', { name, exact: true })

test('a button that has the focus keeps it when what it asks for becomes impossible, and possible again', async () => {
  await open(consoleAddress, consoleReads)
  await expect.element(button('重装系统')).toBeVisible()
  button('重装系统').element().focus()
  for (const isProtected of [true, false]) {
    await answer({ ...consoleReads, 'console.details': { data: details({ protected: isProtected }) } })
    // As a mouse that takes no focus.
    button('刷新数据')
      .element()
      .dispatchEvent(new MouseEvent('click', { bubbles: true }))
    if (isProtected) await expect.element(button('重装系统')).toHaveAttribute('aria-disabled', 'true')
    else await expect.element(button('重装系统')).not.toHaveAttribute('aria-disabled')
    await expect.element(button('重装系统')).toHaveFocus()
  }
})
