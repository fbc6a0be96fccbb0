import * as labels from '@vps/shared/labels'
import type { LegalName } from '@vps/shared/site'
import { Legal } from '../../about/Legal'
import { trpc } from '../../api/trpc'
import { Panel } from '../../ui/Card'
import { Page } from '../../ui/Page'
import { Bar, Failed, Loading } from '../../ui/states'

const titles = { terms: labels.terms, privacy: labels.privacy }

/** The terms or the policy at its own address. */
export function LegalPage({ name }: { name: LegalName }) {
  const site = trpc.shop.site.useQuery(undefined, { staleTime: 60_000 })
  const title = titles[name]
  return (
    <Page title={title} width="form">
      <Panel as="div">
        {site.data ? (
          <Legal site={site.data} name={name} level="h2" />
        ) : site.isError ? (
          <Failed title={`加载${title}失败`} error={site.error} onRetry={() => void site.refetch()} />
        ) : (
          <Loading label={`正在加载${title}`}>
            <Bar $height={240} />
          </Loading>
        )}
      </Panel>
    </Page>
  )
}
