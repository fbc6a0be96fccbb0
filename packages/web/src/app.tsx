import './ui/library-language'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { useSession } from './api/session'
import { createClient, createQueryClient, trpc } from './api/trpc'
import { untilLoaded } from './loading/load-part'
import { Routes } from './routes'
import { ErrorBoundary } from './shell/ErrorBoundary'
import { Layout } from './shell/Layout'
import { Toasts } from './shell/Toasts'
import { ThemeProvider } from './theme/ThemeProvider'

const Live = lazy(async () => ({ default: (await untilLoaded(() => import('./api/live'))).Live }))
const JobWatcher = lazy(async () => ({ default: (await untilLoaded(() => import('./jobs/JobWatcher'))).JobWatcher }))

/** Theme and notifications. */
export function App() {
  const { token } = useSession()
  return (
    <ThemeProvider>
      <SessionApp key={token ?? 'visitor'} token={token} />
      <Toasts />
    </ThemeProvider>
  )
}

/** A broken page is left with its address. */
function Pages() {
  const [path] = useLocation()
  return (
    <ErrorBoundary key={path}>
      <Routes />
    </ErrorBoundary>
  )
}

/** Its own cache and socket: what one person read is never shown to the next. */
function SessionApp({ token }: { token: string | null }) {
  const [queryClient] = useState(() => createQueryClient(token))
  const [client] = useState(() => createClient(token))
  return (
    <trpc.Provider client={client} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <Layout>
          <Pages />
        </Layout>
        {token !== null && (
          <Suspense fallback={null}>
            <Live token={token} />
            <JobWatcher />
          </Suspense>
        )}
      </QueryClientProvider>
    </trpc.Provider>
  )
}
