/** The floor of the first-visit budget. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createTRPCReact, httpBatchLink, type CreateTRPCReact } from '@trpc/react-query'
import type { AppRouter } from '@vps/api/app-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import styled, { ThemeProvider } from 'styled-components'
import { Link, Route, Switch } from 'wouter'

const trpc: CreateTRPCReact<AppRouter, unknown> = createTRPCReact<AppRouter>()
const queryClient = new QueryClient()
const client = trpc.createClient({ links: [httpBatchLink({ url: '/trpc' })] })

const theme = { text: 'black' }
const Hello = styled.p`
  color: ${(props) => (props.theme as typeof theme).text};
`

function Page() {
  const notices = trpc.announcements.current.useQuery()
  return <Hello>Hello, {notices.data?.length} worlds</Hello>
}

createRoot(document.body).render(
  <StrictMode>
    <ThemeProvider theme={theme}>
      <trpc.Provider client={client} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <Switch>
            <Route path="/" component={Page} />
            <Route>
              <Link href="/">Home</Link>
            </Route>
          </Switch>
        </QueryClientProvider>
      </trpc.Provider>
    </ThemeProvider>
  </StrictMode>,
)
