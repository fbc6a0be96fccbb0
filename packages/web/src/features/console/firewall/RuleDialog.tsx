import {
  directionNames,
  firewallActionNames,
  firewallActions,
  firewallDirections,
  firewallProtocols,
  portsText,
  protocolNames,
  readPorts,
  type FirewallRule,
} from '@vps/shared/firewall'
import { firewallRule } from '@vps/shared/firewall.contract'
import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { useState } from 'react'
import styled from 'styled-components'
import { contractFaults } from '../../../forms/contract-faults'
import { media } from '../../../theme/tokens'
import { Button } from '../../../ui/Button'
import { Dialog } from '../../../ui/Dialog'
import { TextField } from '../../../ui/Field'
import { options, Select } from '../../../ui/Select'

interface Props {
  rule: FirewallRule
  isNew: boolean
  onDone: (rule: FirewallRule) => void
  onClose: () => void
}

type Typed = Omit<FirewallRule, 'ports' | 'remote'> & { ports: string; remote: string }

const hasPorts = ({ protocol }: Typed) => protocol === 'tcp' || protocol === 'udp'

/** It counts once the whole set is saved. */
export default function RuleDialog({ rule, isNew, onDone, onClose }: Props) {
  const [typed, setTyped] = useState<Typed>({
    ...rule,
    ports: rule.ports ? portsText(rule) : '',
    remote: rule.remote ?? '',
  })
  const [faults, setFaults] = useState<Record<string, string>>({})

  function finish() {
    const ports = hasPorts(typed) ? readPorts(typed.ports) : null
    const made = { ...typed, ports: ports ?? null, remote: typed.remote.normalize('NFKC').trim() || null }
    const wrong = {
      ...contractFaults(firewallRule, made),
      ...(ports === undefined ? { ports: text.firewallPortWrong } : {}),
    }
    setFaults(wrong)
    if (Object.keys(wrong).length === 0) onDone(firewallRule.parse(made))
  }

  return (
    <Dialog
      open
      sticky
      width={520}
      title={isNew ? verbs.addRule : '编辑规则'}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{verbs.cancel}</Button>
          <Button tone="primary" type="submit" form="firewall-rule">
            {isNew ? '加入列表' : '修改规则'}
          </Button>
        </>
      }
    >
      <Form
        id="firewall-rule"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          finish()
        }}
      >
        <Fields typed={typed} faults={faults} onChange={(part) => setTyped({ ...typed, ...part })} />
      </Form>
    </Dialog>
  )
}

function Fields({
  typed,
  faults,
  onChange,
}: {
  typed: Typed
  faults: Record<string, string>
  onChange: (part: Partial<Typed>) => void
}) {
  return (
    <>
      <Select
        label="方向"
        options={options(firewallDirections.map((one) => [one, directionNames[one]] as const))}
        value={typed.direction}
        onChange={(direction) => onChange({ direction })}
      />
      <Select
        label="动作"
        options={options(firewallActions.map((one) => [one, firewallActionNames[one]] as const))}
        value={typed.action}
        onChange={(action) => onChange({ action })}
      />
      <Select
        label={labels.protocol}
        options={options(firewallProtocols.map((one) => [one, protocolNames[one]] as const))}
        value={typed.protocol}
        onChange={(protocol) => onChange({ protocol })}
      />
      {hasPorts(typed) ? (
        <TextField
          label="目标端口"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          placeholder="80 或 8000-8100"
          help="留空为全部端口"
          autoComplete="off"
          value={typed.ports}
          error={faults['ports']}
          onChange={({ target }) => onChange({ ports: target.value })}
        />
      ) : (
        <span />
      )}
      <TextField
        className="wide"
        label={typed.direction === 'in' ? labels.sourceAddress : '目标地址'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        placeholder="203.0.113.5 或 10.0.0.0/8"
        help="IPv4 或 IPv6 的地址或网段，留空为任何地址"
        autoComplete="off"
        value={typed.remote}
        error={faults['remote']}
        onChange={({ target }) => onChange({ remote: target.value })}
      />
      <TextField
        className="wide"
        label={labels.purpose}
        maxLength={60}
        autoComplete="off"
        value={typed.note}
        error={faults['note']}
        onChange={({ target }) => onChange({ note: target.value })}
      />
    </>
  )
}

const Form = styled.form`
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: 16px;

  .wide {
    grid-column: 1 / -1;
  }

  ${media.phone} {
    > span {
      display: none;
    }
  }
`
