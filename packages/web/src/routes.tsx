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
  page('/', 'public', () => import('./features/home/HomePage')),
  page('/sales', 'public', () => import('./features/sales/SalesPage')),
  page('/notices', 'public', () => import('./features/announcements/NoticesPage')),
  page('/status', 'public', () => import('./features/status/StatusPage')),
  page('/terms', 'public', () => import('./features/legal/TermsPage')),
  page('/privacy', 'public', () => import('./features/legal/PrivacyPage')),
  page('/payment/success', 'public', () => import('./features/payments/SuccessPage')),
  page('/payment/failed', 'public', () => import('./features/payments/FailedPage')),
  page('/auth', 'guest', () => import('./features/account/AuthPage')),
  page('/email-change', 'public', () => import('./features/account/EmailChangePage')),
  page('/forgot-password', 'guest', () => import('./features/account/ForgotPage')),
  page('/dashboard', 'signed-in', () => import('./features/dashboard/DashboardPage')),
  page('/orders', 'signed-in', () => import('./features/orders/OrdersPage')),
  page('/transactions', 'signed-in', () => import('./features/wallet/TransactionsPage')),
  page('/recharge', 'signed-in', () => import('./features/payments/RechargePage')),
  page('/payment/history', 'signed-in', () => import('./features/payments/HistoryPage')),
  page('/profile', 'signed-in', () => import('./features/account/ProfilePage')),
  page('/server-install-progress/:serverId', 'signed-in', () => import('./features/console/ProgressPage')),
  page('/server-manage/:id?', 'signed-in', () => import('./features/console/ConsolePage')),
  page('/remote/:serverId', 'signed-in', () => import('./features/remote/RemotePage')),
  page('/categories', 'signed-in', () => import('./features/admin/categories/CategoriesPage')),
  page('/groups', 'signed-in', () => import('./features/admin/groups/GroupsPage')),
  page('/servers', 'signed-in', () => import('./features/admin/servers/ServersPage')),
  page('/price-groups', 'signed-in', () => import('./features/admin/price-groups/PriceGroupsPage')),
  page('/price-groups/:id/sales-page', 'signed-in', () => import('./features/admin/price-groups/SalesPagePage')),
  page('/overview', 'signed-in', () => import('./features/admin/overview/OverviewPage')),
  page('/all-orders', 'signed-in', () => import('./features/admin/orders/AllOrdersPage')),
  page('/payments', 'signed-in', () => import('./features/admin/payments/AllPaymentsPage')),
  page('/refunds', 'signed-in', () => import('./features/admin/refunds/RefundsPage')),
  page('/hosts', 'signed-in', () => import('./features/admin/hosts/HostsPage')),
  page('/hosts/:id', 'signed-in', () => import('./features/admin/hosts/HostPage')),
  page('/images', 'signed-in', () => import('./features/admin/images/ImagesPage')),
  page('/ip-pools', 'signed-in', () => import('./features/admin/ip-pools/IpPoolsPage')),
  page('/jobs', 'signed-in', () => import('./features/admin/jobs/JobsPage')),
  page('/findings', 'signed-in', () => import('./features/admin/findings/FindingsPage')),
  page('/announcements', 'signed-in', () => import('./features/admin/announcements/AnnouncementsPage')),
  page('/incidents', 'signed-in', () => import('./features/admin/incidents/IncidentsPage')),
  page('/settings', 'signed-in', () => import('./features/admin/settings/SettingsPage')),
  page('/users', 'signed-in', () => import('./features/admin/users/UsersPage')),
  page('/users/:id', 'signed-in', () => import('./features/admin/users/UserPage')),
  page('/audit', 'signed-in', () => import('./features/admin/audit/AuditPage')),
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

function page(path: string, access: Access, load: Entry['load']): Entry {
  return { path, access, load, Page: lazy(load) }
}
