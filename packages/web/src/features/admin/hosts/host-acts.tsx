import type { HostView } from '@vps/shared/hosts.contract'
import { useState } from 'react'
import type { Enrolment } from '../parts/rows'
import { EnrolmentDialog, RenewEnrolment, RevokeToken } from './EnrolmentDialog'
import type { HostActs } from './host-entries'
import type { HostMove } from './host-words'
import { MoveHost } from './MoveHost'
import { Opening } from '../../../ui/Opening'
import { lateByHand } from '../../../loading/late-by-hand'

const HostDialog = lateByHand(() => import('./HostDialog'))

type Asked =
  | { act: 'edit'; host: HostView | null }
  | { act: 'move'; host: HostView; to: HostMove }
  | { act: 'renew' | 'revoke'; host: HostView }

/** What can be done with hosts, and its dialogs. */
export function useHostActs() {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [enrolment, setEnrolment] = useState<(Enrolment & { name: string }) | null>(null)
  const acts: HostActs = {
    edit: (host) => setAsked({ act: 'edit', host }),
    move: (move) => setAsked({ act: 'move', ...move }),
    enrol: (host) => setAsked({ act: 'renew', host }),
    revoke: (host) => setAsked({ act: 'revoke', host }),
  }
  const dialogs = (
    <>
      {asked && (
        <Asking
          asked={asked}
          onEnrol={(made, name) => setEnrolment({ ...made, name })}
          onClose={() => setAsked(null)}
        />
      )}
      {enrolment && <EnrolmentDialog enrolment={enrolment} onClose={() => setEnrolment(null)} />}
    </>
  )
  return { acts, create: () => setAsked({ act: 'edit', host: null }), dialogs }
}

interface AskingProps {
  asked: Asked
  onEnrol: (made: Enrolment, name: string) => void
  onClose: () => void
}

function Asking({ asked, onEnrol, onClose }: AskingProps) {
  if (asked.act === 'edit')
    return (
      <Opening onGiveUp={onClose}>
        <HostDialog host={asked.host} onEnrol={onEnrol} onClose={onClose} />
      </Opening>
    )
  const { host } = asked
  if (asked.act === 'move') return <MoveHost host={host} to={asked.to} onClose={onClose} />
  if (asked.act === 'revoke') return <RevokeToken host={host} onClose={onClose} />
  return <RenewEnrolment host={host} onEnrol={(made) => onEnrol(made, host.name)} onClose={onClose} />
}
