import { firewallActionNames, firewallActions, type FirewallAction } from '@vps/shared/firewall'
import * as verbs from '@vps/shared/verbs'
import type { ComponentProps } from 'react'
import styled from 'styled-components'
import { color, font } from '../../../theme/tokens'
import { Segments } from '../../../ui/Segments'
import { Switch } from '../../../ui/Switch'
import type { Draft } from './draft'

const actions = firewallActions.map((one) => [one, firewallActionNames[one]] as const)

interface DefaultsProps {
  shown: Draft
  locked: boolean
  onChange: (part: Partial<Draft>) => void
}

/** Whether it is on, and what becomes of what no rule names. */
export function Defaults({ shown, locked, onChange }: DefaultsProps) {
  const policyOf = (name: 'inbound' | 'outbound') => ({
    value: shown[name],
    disabled: locked,
    onChange: (action: FirewallAction) => onChange({ [name]: action }),
  })
  return (
    <Policies>
      <Switch
        label={verbs.enableFirewall}
        checked={shown.enabled}
        disabled={locked}
        onChange={({ target }) => onChange({ enabled: target.checked })}
      />
      <Policy label="入站默认" {...policyOf('inbound')} />
      <Policy label="出站默认" {...policyOf('outbound')} />
    </Policies>
  )
}

type PolicyProps = Omit<ComponentProps<typeof Segments<FirewallAction>>, 'name' | 'options'>

function Policy(props: PolicyProps) {
  return (
    <div>
      <small aria-hidden>{props.label}</small>
      <Segments {...props} name={props.label} options={actions} />
    </div>
  )
}

const Policies = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 8px 24px;

  > div {
    display: flex;
    align-items: center;
    gap: 8px;
  }

  small {
    ${font.sm}
    color: ${color.text2};
  }
`
