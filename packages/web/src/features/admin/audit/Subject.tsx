import type { AuditView } from '@vps/shared/audit.contract'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { paths } from '../../../paths'
import { Mono, TwoLines } from '../../../ui/cells'
import { Dim } from '../../../ui/Time'
import { CustomerLink, HostLink, OrderLink } from '../parts/links'
import { subjectNames } from '@vps/shared/audit-words'

/** By name, which leads to its page; else by id. */
export function Subject({ entry }: { entry: AuditView }) {
  const { subjectKind, subjectId, subjectName } = entry
  const kind = subjectNames[subjectKind] ?? subjectKind
  if (!subjectId) return <Dim>{kind}</Dim>
  return (
    <TwoLines>
      <span>{links[subjectKind]?.(subjectId, subjectName) ?? subjectName ?? <Mono>{subjectId}</Mono>}</span>
      <small>{kind}</small>
    </TwoLines>
  )
}

const links: Record<string, (id: string, name: string | null) => ReactNode> = {
  user: (id, name) => name && <CustomerLink id={id} name={name} />,
  order: (_, name) => name && <OrderLink number={name} />,
  server: (_, name) => name && <Link href={paths.servers({ q: name })}>{name}</Link>,
  host: (id, name) => name && <HostLink id={id} name={name} />,
  payment: (id) => <Link href={paths.allPayments({ q: id })}>{id}</Link>,
}
