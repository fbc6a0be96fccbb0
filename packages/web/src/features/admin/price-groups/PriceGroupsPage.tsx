import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { keepPreviousData } from '@tanstack/react-query'
import type { AdminPriceGroup } from '@vps/shared/catalogue.contract'
import { percentOff, yuan } from '@vps/shared/money'
import * as text from '@vps/shared/text'
import { Tags } from 'lucide-react'
import { useState } from 'react'
import styled from 'styled-components'
import { trpc } from '../../../api/trpc'
import { color } from '../../../theme/tokens'
import { Button } from '../../../ui/Button'
import { Tag } from '../../../ui/Chip'
import { RowMenu } from '../../../ui/RowMenu'
import { Money } from '../../../ui/Money'
import { NameButton, TwoLines } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { AdminOnly } from '../parts/AdminOnly'
import { ActiveChip, CreateButton } from '../parts/cells'
import { SearchOnly } from '../parts/Conditions'
import { DeleteConfirm } from '../parts/DeleteConfirm'
import { ListPage } from '../parts/ListPage'
import { SalesPagePreview } from './SalesPagePreview'
import { useSearched } from '../parts/use-searched'
import { actionsColumn } from '../../../ui/columns'
import { priceFields } from './price-group-form'
import { type Acts, entriesOf, discountTimes } from './price-group-entries'
import { RestoreConfirm } from './RestoreConfirm'
import { Opening } from '../../../ui/Opening'
import { lateByHand } from '../../../loading/late-by-hand'

const DiscountDialog = lateByHand(() => import('./DiscountDialog'))

const PriceGroupDialog = lateByHand(() => import('./PriceGroupDialog'))

/** 价格组. */
export default function PriceGroupsPage() {
  return (
    <AdminOnly title={labels.priceGroup} denied="访问被拒绝：只有管理员可以管理价格组">
      <PriceGroups />
    </AdminOnly>
  )
}

function PriceGroups() {
  const { filters, asked } = useSearched()
  const priceGroups = trpc.catalogue.priceGroups.useQuery(asked, { placeholderData: keepPreviousData })
  const utils = trpc.useUtils()
  const remove = trpc.catalogue.deletePriceGroup.useMutation({ onSuccess: () => utils.catalogue.invalidate() })
  const [edited, setEdited] = useState<AdminPriceGroup | 'new' | null>(null)
  const [removed, setRemoved] = useState<AdminPriceGroup | null>(null)
  const [previewed, setPreviewed] = useState<AdminPriceGroup | null>(null)
  const [discounted, setDiscounted] = useState<AdminPriceGroup | null>(null)
  const [restored, setRestored] = useState<AdminPriceGroup | null>(null)

  return (
    <ListPage
      title={labels.priceGroup}
      what={labels.priceGroup}
      failed={text.priceGroupsFailed}
      wide
      read={priceGroups}
      filters={filters}
      exported={{ list: 'price-groups', asked }}
      columns={columnsOf({
        edit: setEdited,
        remove: setRemoved,
        preview: setPreviewed,
        discount: setDiscounted,
        restore: setRestored,
      })}
      rowKey={(group) => group.id}
      empty={{ icon: Tags, text: '价格组是销售页上的一个套餐：六个周期的价格、配置和折扣。' }}
      action={<CreateButton onClick={() => setEdited('new')} />}
      conditions={<SearchOnly filters={filters} placeholder={labels.nameOrDescription} />}
    >
      {edited && (
        <Opening onGiveUp={() => setEdited(null)}>
          <PriceGroupDialog group={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
        </Opening>
      )}
      {previewed && (
        <SalesPagePreview
          name={previewed.name}
          salesPageHtml={previewed.salesPageHtml}
          onClose={() => setPreviewed(null)}
        />
      )}
      {discounted && (
        <Opening onGiveUp={() => setDiscounted(null)}>
          <DiscountDialog group={discounted} onClose={() => setDiscounted(null)} />
        </Opening>
      )}
      {restored && <RestoreConfirm group={restored} onClose={() => setRestored(null)} />}
      {removed && (
        <DeleteConfirm
          what={labels.priceGroup}
          failed="删除价格组失败"
          run={() => remove.mutateAsync({ id: removed.id })}
          onClose={() => setRemoved(null)}
        >
          <p>
            {labels.priceGroup} <b>{removed.name}</b> 的价格、折扣和销售页内容将被删除，且不能恢复。
          </p>
          <p>仍有订单使用的价格组不能删除；只是停止销售，可以改为停用。</p>
        </DeleteConfirm>
      )}
    </ListPage>
  )
}

function columnsOf(acts: Acts): Column<AdminPriceGroup>[] {
  return [
    {
      key: 'name',
      head: labels.name,
      phone: 'title',
      cell: (group) => (
        <TwoLines>
          <NameButton title={group.name} onClick={() => acts.edit(group)}>
            {group.name}
          </NameButton>
          {group.description && <small title={group.description}>{group.description}</small>}
        </TwoLines>
      ),
    },
    ...priceFields.map(([field, head]): Column<AdminPriceGroup> => ({
      key: field,
      head,
      align: 'right',
      cell: (group) => <Price group={group} price={group[field]} />,
    })),
    { key: 'group', head: labels.serverGroup, cell: (group) => group.serverGroupName },
    {
      key: 'page',
      head: labels.salesPage,
      cell: (group) => (
        <Button
          tone="quiet"
          size="sm"
          aria-label={`预览 ${group.name} 的销售页`}
          onClick={() => acts.preview(group)}
          style={{ marginLeft: -10 }}
        >
          {verbs.preview}
        </Button>
      ),
    },
    {
      key: 'status',
      head: labels.status,
      phone: 'chip',
      cell: (group) => (
        <States>
          <ActiveChip active={group.isActive} />
          {group.hasDiscount && (
            <Tag $tone={group.discountActive ? 'error' : 'neutral'} title={discountTimes(group)}>
              {group.discountActive ? `省 ${group.discountPercentage}%` : '折扣未生效'}
            </Tag>
          )}
        </States>
      ),
    },
    actionsColumn((group) => (
      <>
        <Button tone="quiet" size="sm" aria-label={`编辑 ${group.name}`} onClick={() => acts.edit(group)}>
          {verbs.edit}
        </Button>
        <RowMenu of={group.name} entries={entriesOf(group, acts)} />
      </>
    )),
  ]
}

function Price({ group, price }: { group: AdminPriceGroup; price: number }) {
  if (!group.discountActive || group.discountPercentage === null) return <Money yuan={price} />
  return (
    <TwoLines>
      <Money yuan={yuan.encode(percentOff(yuan.decode(price), group.discountPercentage))} />
      <small>
        <s>
          <Money yuan={price} />
        </s>
      </small>
    </TwoLines>
  )
}

const States = styled.span`
  display: inline-flex;
  flex-wrap: wrap;
  gap: 4px;
  color: ${color.text2};
`
