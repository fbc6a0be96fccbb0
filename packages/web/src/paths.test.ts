import { expect, it } from 'vitest'
import { fillsWindow, nextOf, paths } from './paths'

it('gives every screen the address that the specification names', () => {
  const {
    register,
    buy,
    payOrder,
    continuePayment,
    orders,
    sales,
    recharge,
    paymentSuccess,
    paymentFailed,
    installProgress,
    console,
    remote,
    user,
    host,
    salesPage,
    ...plain
  } = paths
  const { servers, allOrders, jobs, audit } = paths
  expect(Object.values(plain).map((path) => path())).toEqual([
    '/',
    '/auth',
    '/forgot-password',
    '/dashboard',
    '/terms',
    '/privacy',
    '/transactions',
    '/payment/history',
    '/profile',
    '/notices',
    '/status',
    '/categories',
    '/groups',
    '/servers',
    '/price-groups',
    '/overview',
    '/all-orders',
    '/payments',
    '/refunds',
    '/hosts',
    '/images',
    '/ip-pools',
    '/jobs',
    '/findings',
    '/announcements',
    '/incidents',
    '/settings',
    '/users',
    '/audit',
  ])
  expect([orders(), orders('o1'), sales(), sales('g1'), recharge(), recharge(12.5)]).toEqual([
    '/orders',
    '/orders?orderId=o1',
    '/sales',
    '/sales?group=g1',
    '/recharge',
    '/recharge?amount=12.50',
  ])
  expect([register(), buy('g1'), payOrder('o1'), continuePayment('p1')]).toEqual([
    '/auth?form=register',
    '/sales?group=g1&buy=on',
    '/orders?pay=o1',
    '/recharge?payment=p1',
  ])
  expect([paymentSuccess('p1'), paymentFailed()]).toEqual(['/payment/success?order=p1', '/payment/failed'])
  expect([
    servers({ group: 'g1' }),
    allOrders({ status: 'ACTIVE' }),
    jobs({ server: 's1' }),
    audit({ subject: 'o1' }),
  ]).toEqual(['/servers?group=g1', '/all-orders?status=ACTIVE', '/jobs?server=s1', '/audit?subject=o1'])
  expect([user('u1'), user('u1', 'notes')]).toEqual(['/users/u1', '/users/u1?part=notes'])
  expect([host('h1'), host('h1', 'jobs')]).toEqual(['/hosts/h1', '/hosts/h1?part=jobs'])
  expect(salesPage('g1')).toBe('/price-groups/g1/sales-page')
  expect([installProgress('s1'), console('o1')]).toEqual(['/server-install-progress/s1', '/server-manage/o1'])
  expect(remote('s1')).toBe('/remote/s1')
  expect([fillsWindow(remote('s1')), fillsWindow(console('o1'))]).toEqual([true, false])
})

it('leads after signing in to pages of this product alone', () => {
  const next = (to: string) => nextOf(paths.auth(to).slice('/auth'.length))
  expect([next('/orders?orderId=o1'), next('/dashboard')]).toEqual(['/orders?orderId=o1', '/dashboard'])
  const dots = ['/.//evil.example', '/orders/..//evil.example', '/%2e//evil.example']
  for (const elsewhere of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'x',
    '//',
    ...dots,
  ])
    expect(next(elsewhere), elsewhere).toBeNull()
  expect(nextOf('')).toBeNull()
})
