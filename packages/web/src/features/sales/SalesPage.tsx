import * as labels from '@vps/shared/labels'
import { priceGroupInFen } from '@vps/shared/catalogue'
import type { PriceGroupInFen, PriceGroupView } from '@vps/shared/catalogue.contract'
import { salesNote } from '@vps/shared/opening'
import * as text from '@vps/shared/text'
import { PackageOpen } from 'lucide-react'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import styled from 'styled-components'
import { useSearchParams } from 'wouter'
import { currentSession } from '../../api/session'
import { trpc } from '../../api/trpc'
import { color, font, media, radius } from '../../theme/tokens'
import { Card } from '../../ui/Card'
import { Page } from '../../ui/Page'
import { useParam } from '../../ui/use-param'
import { Bar, Empty, Failed, Loading } from '../../ui/states'
import { CategoryRail } from './CategoryRail'
import { Configurator } from './Configurator'
import { chosenGroup } from './chosen-group'
import { fitted, startDraft, type Draft } from './configurator'
import { keepDraft, keptDraft } from './kept-draft'
import { Plans } from './Plans'
import { Summary } from './Summary'

const Welcome = lazy(() => import('./Welcome'))

const inFen = (groups: PriceGroupView[]) => groups.map(priceGroupInFen)

/** Region, plan and configuration, and the order. */
export default function SalesPage() {
  const categories = trpc.shop.categories.useQuery()
  const groups = trpc.shop.groups.useQuery()
  const priceGroups = trpc.shop.priceGroups.useQuery(undefined, { select: inFen })
  const reads = [
    { read: categories, failure: text.categoriesFailed },
    { read: groups, failure: text.groupsFailed },
    { read: priceGroups, failure: text.priceGroupsFailed },
  ]
  // What was read once stays when a later read fails.
  const failed = reads.filter(({ read }) => read.isError && !read.data)

  return (
    <Page title={labels.product} note={salesNote}>
      {failed[0] ? (
        <Card>
          <Failed
            title={failed.map(({ failure }) => failure).join('，')}
            error={failed[0].read.error}
            onRetry={() => failed.forEach(({ read }) => void read.refetch())}
          />
        </Card>
      ) : categories.data && groups.data && priceGroups.data ? (
        <Shop categories={categories.data} groups={groups.data} priceGroups={priceGroups.data} />
      ) : (
        <ShopLoading />
      )}
    </Page>
  )
}

type Rail = Parameters<typeof CategoryRail>[0]

/** `?group=none` is the welcome page; without it the first group. */
function Shop({
  categories,
  groups,
  priceGroups,
}: Pick<Rail, 'categories' | 'groups'> & { priceGroups: PriceGroupInFen[] }) {
  const [params, setParams] = useSearchParams()
  const { group, first: firstGroup } = chosenGroup(params.get('group'), categories, groups)
  const beside = groups.filter(({ categoryId }) => categoryId === group?.categoryId)
  const offers = priceGroups.filter((offer) => beside.some(({ id }) => id === offer.serverGroupId))
  const first = offers.find((offer) => offer.serverGroupId === group?.id)

  const choose = (id: string | null) => setParams({ group: id ?? 'none' }, { replace: true })

  return (
    <Columns>
      <CategoryRail categories={categories} groups={groups} chosen={group?.id ?? null} onChoose={choose} />
      {group ? (
        first ? (
          <Order groups={beside} group={group} first={first} offers={offers} onRegion={choose} />
        ) : (
          <Whole>
            <Card>
              <Empty icon={PackageOpen} title="该分组暂无在售套餐">
                请在左侧选择其他地区，或稍后再来看看。
              </Empty>
            </Card>
          </Whole>
        )
      ) : (
        <Whole>
          <Suspense fallback={null}>
            <Welcome hasGroups={firstGroup !== undefined} onBrowse={() => firstGroup && choose(firstGroup.id)} />
          </Suspense>
        </Whole>
      )}
    </Columns>
  )
}

interface OrderProps {
  groups: Rail['groups']
  group: Rail['groups'][number]
  first: PriceGroupInFen
  offers: PriceGroupInFen[]
  onRegion: (groupId: string) => void
}

function Order({ groups, group, first, offers, onRegion }: OrderProps) {
  const here = offers.filter((offer) => offer.serverGroupId === group.id)
  const best = here.find(({ available }) => available) ?? first
  const [asked] = useParam('plan')
  const [kept, setDraft] = useState<Draft>(
    () => keptDraft(here) ?? startDraft(here.find(({ id }) => id === asked) ?? best),
  )
  // Another plan takes along what it can.
  const offer = here.find(({ id }) => id === kept.priceGroupId) ?? best
  const draft = offer.id === kept.priceGroupId ? fitted(kept, offer) : startDraft(offer, kept)
  useKeptWhenLost(draft)
  const place = [group.region, group.country, group.city].filter(Boolean).join(' · ')

  function choose(next: PriceGroupInFen) {
    setDraft(startDraft(next, draft))
    if (next.serverGroupId !== group.id) onRegion(next.serverGroupId)
  }

  return (
    <>
      <Main>
        <Card title={group.name} note={place}>
          {group.description && <Description>{group.description}</Description>}
          <Plans groups={groups} group={group} offers={offers} chosen={offer} onRegion={onRegion} onChoose={choose} />
        </Card>
        <Configurator offer={offer} draft={draft} onChange={(change) => setDraft({ ...draft, ...change })} />
      </Main>
      <Summary key={group.id} group={group} offer={offer} draft={draft} />
    </>
  )
}

/** Whoever signs in again finds it as they left it. */
function useKeptWhenLost(draft: Draft): void {
  const [had] = useState(() => currentSession().token !== null)
  const keep = useEffectEvent(() => {
    if (had && currentSession().lost) keepDraft(draft)
  })
  useEffect(() => () => keep(), [])
}

function ShopLoading() {
  return (
    <Loading label="正在加载产品">
      <Columns>
        <RailBars>
          {[1, 2, 3, 4, 5, 6].map((bar) => (
            <Bar key={bar} $height={20} $width={bar % 3 === 1 ? '60%' : '85%'} />
          ))}
        </RailBars>
        <Main>
          <Card>
            <Bar $width="160px" $height={20} />
            <CardBars>
              {[1, 2, 3].map((bar) => (
                <Bar key={bar} $height={140} />
              ))}
            </CardBars>
          </Card>
          <Card>
            <CardBars>
              <Bar $height={220} />
            </CardBars>
          </Card>
        </Main>
        <SummaryBar>
          <Card>
            <Bar $width="96px" $height={20} />
            <CardBars>
              <Bar $height={280} />
            </CardBars>
          </Card>
        </SummaryBar>
      </Columns>
    </Loading>
  )
}

const Columns = styled.div`
  display: grid;
  grid-template-columns: 240px minmax(0, 1fr) 320px;
  align-items: start;
  gap: 16px;

  ${media.narrow} {
    grid-template-columns: minmax(0, 1fr);
    padding-bottom: 80px;
  }

  ${media.phone} {
    gap: 12px;
  }
`

const Main = styled.div`
  display: grid;
  gap: 16px;
  min-width: 0;

  ${media.phone} {
    gap: 12px;
  }
`

const Whole = styled.div`
  grid-column: 2 / -1;
  min-width: 0;

  ${media.narrow} {
    grid-column: 1;
  }
`

const Description = styled.p`
  margin: -8px 0 16px;
  max-width: 45em;
  color: ${color.text2};
`

const RailBars = styled.div`
  display: grid;
  gap: 16px;
  padding: 16px;
  border-radius: ${radius.card};
  background: ${color.surface};
  ${font.sm}
`

const CardBars = styled.div`
  display: grid;
  grid-auto-flow: column;
  gap: 12px;
  margin-top: 16px;

  ${media.phone} {
    grid-auto-flow: row;
  }
`

const SummaryBar = styled.div`
  ${media.narrow} {
    display: none;
  }
`
