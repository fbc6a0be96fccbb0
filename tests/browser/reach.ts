/** Pages on which everything that can be pressed is to be reached. */
import type { OrderView } from '@vps/shared/orders.contract'
import type { Customer } from '../setup/customer.js'

export const visitorPages = ['/', '/sales', '/auth', '/status', '/terms', '/nowhere']
export const customerPages = ['/dashboard', '/orders', '/transactions', '/recharge', '/payment/history', '/profile']
export const operatorPages = ['/overview', '/all-orders', '/hosts']

/** Of a running server of the demo’s customer: its console and its installation. */
export async function serverPages(demo: Customer): Promise<string[]> {
  const orders = (await demo.call<OrderView[]>('GET', '/orders')).body.data
  const active = orders.find(({ status, serverId }) => status === 'ACTIVE' && serverId)
  if (!active) throw new Error('the demo has no active order')
  return [`/server-manage/${active.id}`, `/server-install-progress/${active.serverId}`]
}

/** In the order in which they are to be looked at. */
export async function everyLook(demo: Customer, admin: Customer): Promise<{ who: Customer | null; pages: string[] }[]> {
  return [
    { who: null, pages: visitorPages },
    { who: demo, pages: [...customerPages, ...(await serverPages(demo))] },
    { who: admin, pages: operatorPages },
  ]
}

/** Runs in the page. */
export function signedInAs(token: string | null, user: string): void {
  localStorage.clear()
  if (token === null) return
  localStorage.setItem('token', token)
  localStorage.setItem('user', user)
}

/** Runs in the page: each control, scrolled to as by keyboard, and what lies over it. */
export function covered(): string[] {
  const controls = document.querySelectorAll<HTMLElement>(
    ':is(header, main, footer) :is(a[href], button, input, select)',
  )
  const out: string[] = controls.length > 0 ? [] : ['nothing can be pressed']
  for (const control of controls) {
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || control.closest('[inert]'))
      continue
    control.scrollIntoView({ block: 'center', inline: 'nearest' })
    const { left, top, width, height } = control.getBoundingClientRect()
    // Heard only: its label is what is seen.
    if (width < 4 || height < 4) continue
    const hit = document.elementFromPoint(left + width / 2, top + height / 2)
    const label = control.closest('label')
    if (hit && (control.contains(hit) || hit.contains(control) || label?.contains(hit))) continue
    out.push(`${control.outerHTML.slice(0, 120)} under ${hit?.outerHTML.slice(0, 80) ?? 'nothing'}`)
  }
  return out
}
