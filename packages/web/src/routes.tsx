import { isAt } from '@vps/shared/addresses'
import { lazy, Suspense, type ComponentType, type ReactNode } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { currentSession, useSession } from './api/session'
import { nextOf, paths } from './paths'
import { PageLoading } from './shell/PageLoading'

const NotFound = lazy(() => import('./shell/NotFound'))

type Access = 'public' | 'guest' | 'signed-in'
type Page = ComponentType<Record<string, string | undefined>>

interface Entry {
  path: string
  access: Access
  load: () => Promise<{ default: Page }>
  Page: Page
}

const pages: Entry[] = [
  page('/', () => import('./features/home/HomePage'), 'public'),
  page('/sales', () => import('./features/sales/SalesPage'), 'public'),
  page('/notices', () => import('./features/announcements/NoticesPage'), 'public'),
  page('/status', () => import('./features/status/StatusPage'), 'public'),
  page('/terms', () => import('./features/legal/TermsPage'), 'public'),
  page('/privacy', () => import('./features/legal/PrivacyPage'), 'public'),
  page('/payment/success', () => import('./features/payments/SuccessPage'), 'public'),
  page('/payment/failed', () => import('./features/payments/FailedPage'), 'public'),
  page('/auth', () => import('./features/account/AuthPage'), 'guest'),
  page('/email-change', () => import('./features/account/EmailChangePage'), 'public'),
  page('/forgot-password', () => import('./features/account/ForgotPage'), 'guest'),
  page('/dashboard', () => import('./features/dashboard/DashboardPage')),
  page('/orders', () => import('./features/orders/OrdersPage')),
  page('/transactions', () => import('./features/wallet/TransactionsPage')),
  page('/recharge', () => import('./features/payments/RechargePage')),
  page('/payment/history', () => import('./features/payments/HistoryPage')),
  page('/profile', () => import('./features/account/ProfilePage')),
  page('/server-install-progress/:serverId', () => import('./features/console/ProgressPage')),
  page('/server-manage/:id?', () => import('./features/console/ConsolePage')),
  page('/remote/:serverId', () => import('./features/remote/RemotePage')),
  page('/categories', () => import('./features/admin/categories/CategoriesPage')),
  page('/groups', () => import('./features/admin/groups/GroupsPage')),
  page('/servers', () => import('./features/admin/servers/ServersPage')),
  page('/price-groups', () => import('./features/admin/price-groups/PriceGroupsPage')),
  page('/price-groups/:id/sales-page', () => import('./features/admin/price-groups/SalesPagePage')),
  page('/overview', () => import('./features/admin/overview/OverviewPage')),
  page('/all-orders', () => import('./features/admin/orders/AllOrdersPage')),
  page('/payments', () => import('./features/admin/payments/AllPaymentsPage')),
  page('/refunds', () => import('./features/admin/refunds/RefundsPage')),
  page('/hosts', () => import('./features/admin/hosts/HostsPage')),
  page('/hosts/:id', () => import('./features/admin/hosts/HostPage')),
  page('/images', () => import('./features/admin/images/ImagesPage')),
  page('/ip-pools', () => import('./features/admin/ip-pools/IpPoolsPage')),
  page('/jobs', () => import('./features/admin/jobs/JobsPage')),
  page('/findings', () => import('./features/admin/findings/FindingsPage')),
  page('/announcements', () => import('./features/admin/announcements/AnnouncementsPage')),
  page('/incidents', () => import('./features/admin/incidents/IncidentsPage')),
  page('/settings', () => import('./features/admin/settings/SettingsPage')),
  page('/users', () => import('./features/admin/users/UsersPage')),
  page('/users/:id', () => import('./features/admin/users/UserPage')),
  page('/audit', () => import('./features/admin/audit/AuditPage')),
]

/** Every address, who may see it, and its page. */
export function Routes() {
  return (
    <Suspense fallback={<PageLoading />}>
      <Switch>
        {pages.map(({ path, access, Page }) => (
          <Route key={path} path={path}>
            {(params) => (
              <Guard access={access}>
                <Page {...params} />
              </Guard>
            )}
          </Route>
        ))}
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </Suspense>
  )
}

function Guard({ access, children }: { access: Access; children: ReactNode }) {
  const { token } = useSession()
  const { pathname, search } = location
  if (access === 'signed-in' && token === null) return <Redirect to={paths.auth(pathname + search)} replace />
  if (access === 'guest' && token !== null) return <Redirect to={nextOf(search) ?? paths.dashboard()} replace />
  return children
}

/** Before it is drawn, so that nothing stands in for it. */
export async function loadPage(path: string): Promise<void> {
  const entry = shownAt(path)
  const loaded = await entry?.load().catch(() => null)
  if (entry && loaded) entry.Page = loaded.default
}

/** As `Guard` leads. */
function shownAt(path: string): Entry | undefined {
  const at = (path: string) => pages.find((entry) => isAt(entry.path, path))
  const entry = at(path)
  const isSignedIn = currentSession().token !== null
  if (entry?.access === 'signed-in' && !isSignedIn) return at(paths.auth())
  if (entry?.access === 'guest' && isSignedIn) return at(paths.dashboard())
  return entry
}

function page(path: string, load: Entry['load'], access: Access = 'signed-in'): Entry {
  return { path, access, load, Page: lazy(load) }
}
