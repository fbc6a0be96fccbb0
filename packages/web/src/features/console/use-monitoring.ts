import { trpc } from '../../api/trpc'

const fallbackLookMs = 30_000

/** A server's latest figures. */
export const useMonitoring = (serverId: string) =>
  trpc.console.monitoring.useQuery({ id: serverId }, { refetchInterval: fallbackLookMs })
