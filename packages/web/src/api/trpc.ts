import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { createTRPCReact, httpBatchLink, type CreateTRPCReact, type TRPCClient } from '@trpc/react-query'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@vps/api/app-router'
import { fetchJson, statusOf } from './errors'
import { takeFirstAnswers } from './first-answers'
import { retryMs } from './retry-ms'
import { currentSession, loseSession } from './session'

export const trpc: CreateTRPCReact<AppRouter, unknown> = createTRPCReact<AppRouter>()

export type Inputs = inferRouterInputs<AppRouter>
export type Outputs = inferRouterOutputs<AppRouter>

export function createClient(token: string | null): TRPCClient<AppRouter> {
  const link = httpBatchLink({
    url: '/trpc',
    fetch: (input, init) => fetchJson(input, init as RequestInit),
    // Fifty ids fit; proxies take twice as much.
    maxURLLength: 4_000,
    maxItems: 20,
    headers: { 'Accept-Language': 'zh-CN', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
  })
  return trpc.createClient({
    links: [
      (runtime) => {
        // Where the profile cannot be read its owner is signed out, which no other read may cause.
        const [profile, others] = [link(runtime), link(runtime)]
        return (props) => (props.op.path === 'accounts.me' ? profile : others)(props)
      },
    ],
  })
}

/** Notifications keep reads fresh: neither opening a screen nor focusing a window asks again. */
export function createQueryClient(token: string | null): QueryClient {
  const onFailure = failureIn(token)
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError: onFailure }),
    mutationCache: new MutationCache({ onError: onFailure }),
    defaultOptions: {
      // Else what was asked offline, such as a payment given up, is sent later.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 10_000,
        refetchOnWindowFocus: false,
        retryDelay: (attempt) => Math.min(retryMs * 2 ** attempt, 4_000),
        // Only silence and breakage are tried again.
        retry: (failures, error) => failures < 2 && (statusOf(error) ?? 500) >= 500,
      },
    },
  })
  takeFirstAnswers(queryClient)
  return queryClient
}

/** Logs it, as the specification asks; a refused session ends, but none that began since. */
const failureIn = (token: string | null) => (error: Error) => {
  // oxlint-disable-next-line no-console
  console.warn(error.message)
  if (statusOf(error) === 401 && token !== null && currentSession().token === token) loseSession()
}
