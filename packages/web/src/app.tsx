import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { Live } from './api/live'
import { useSession } from './api/session'
import { createClient, createQueryClient, trpc } from './api/trpc'
import { Routes } from './routes'
import { ErrorBoundary } from './shell/ErrorBoundary'
import { Layout } from './shell/Layout'
import { Toasts } from './shell/Toasts'
import { ThemeProvider } from './theme/ThemeProvider'

/** Theme, session-bound API client, layout, routes. */
export function App() {
  const { token } = useSession()
  const [queryClient] = useState(createQueryClient)
  // A socket is opened with one token for life: another session gets another client.
  const client = useMemo(() => createClient(token), [token])

  // What one person read must not be shown to the next; the cache lies outside React.
  useEffect(() => () => queryClient.clear(), [queryClient, token])

  return (
    <ThemeProvider>
      <trpc.Provider client={client} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <Layout>
            <ErrorBoundary>
              <Routes />
            </ErrorBoundary>
          </Layout>
          {token && <Live key={token} />}
        </QueryClientProvider>
      </trpc.Provider>
      <Toasts />
    </ThemeProvider>
  )
}
