import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { keepPreviousData } from '@tanstack/react-query'
import { hostStateNames, hostStates } from '@vps/shared/hosts'
import { HardDrive } from 'lucide-react'
import { trpc } from '../../../api/trpc'
import { FilterSelect } from '../../../ui/FilterSelect'
import { Select } from '../../../ui/Select'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { CreateButton } from '../parts/cells'
import { chosen } from '../parts/choices'
import { Conditions } from '../parts/Conditions'
import { FilterTag } from '../parts/FilterTag'
import { ListPage } from '../parts/ListPage'
import { silenceLookMs } from '../../../api/look-again'
import { useHostActs } from './host-acts'
import { allGroups, useGroupOptions } from '../parts/use-groups'
import { useSearched } from '../parts/use-searched'
import { hostColumns } from './host-columns'

/** 宿主机. */
export default function HostsPage() {
  return (
    <AdminOnly title={labels.host} denied={operationsDenied}>
      <Hosts />
    </AdminOnly>
  )
}

function Hosts() {
  const { filters, asked: searched } = useSearched(['state', 'group', 'pool'])
  const { q, group, pool } = filters.values
  const state = chosen(hostStates, filters.values.state)
  const asked = {
    ...searched,
    ...(state ? { state } : {}),
    ...(group ? { groupId: group } : {}),
    ...(pool ? { poolId: pool } : {}),
  }
  const hosts = trpc.hosts.list.useQuery(asked, { placeholderData: keepPreviousData, refetchInterval: silenceLookMs })
  const groups = useGroupOptions()
  const poolName = hosts.data?.content[0]?.pools.find(({ id }) => id === pool)?.name
  const { acts, create, dialogs } = useHostActs()

  return (
    <ListPage
      title={labels.host}
      what={labels.host}
      wide
      read={hosts}
      filters={filters}
      exported={{ list: 'hosts', asked }}
      columns={hostColumns(acts)}
      rowKey={(host) => host.id}
      empty={{ icon: HardDrive, text: '接入一台 KVM 宿主机，服务器会自动安排在上面。' }}
      action={<CreateButton label={verbs.enrolHost} onClick={create} />}
      conditions={
        <Conditions
          search={{ text: q, onSearch: (q) => filters.set({ q }), placeholder: labels.name }}
          active={filters.active}
          onReset={filters.reset}
        >
          <FilterSelect
            label={labels.status}
            all={labels.allStatuses}
            values={hostStates}
            word={(value) => hostStateNames[value]}
            value={filters.values.state}
            onChange={(state) => filters.set({ state })}
          />
          <Select
            label={labels.serverGroup}
            value={group}
            onChange={(group) => filters.set({ group })}
            options={[{ value: '', text: allGroups }, ...groups]}
          />
          {pool && (
            <FilterTag label={`${labels.ipPool} ${poolName ?? ''}`} onRemove={() => filters.set({ pool: '' })} />
          )}
        </Conditions>
      }
    >
      {dialogs}
    </ListPage>
  )
}
