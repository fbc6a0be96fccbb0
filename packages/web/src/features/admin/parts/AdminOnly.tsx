import type { ReactNode } from 'react'
import { useSession } from '../../../api/session'
import { Denied } from '../../../ui/Denied'
import { Page } from '../../../ui/Page'
import { Bar, Loading } from '../../../ui/states'

/** A courtesy: the server refuses the calls. Renders nothing inside, so nothing is asked. */
export function AdminOnly({ title, denied, children }: { title: string; denied: string; children: ReactNode }) {
  const { user } = useSession()
  if (user?.isAdmin) return children
  if (user) return <Denied reason={denied} />
  return (
    <Page title={title}>
      <Loading label={`正在加载${title}`}>
        <Bar $height={40} />
      </Loading>
    </Page>
  )
}

export const operationsDenied = '访问被拒绝：只有管理员可以访问此页面'
