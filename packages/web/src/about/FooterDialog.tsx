import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import type { SiteSettings } from '@vps/shared/site'
import * as text from '@vps/shared/text'
import { Building2, Clock, Copy, Mail, MessageCircle, Phone, Users, type LucideIcon } from 'lucide-react'
import styled from 'styled-components'
import { trpc } from '../api/trpc'
import { paths } from '../paths'
import { color, font } from '../theme/tokens'
import { IconButton } from '../ui/Button'
import { copyText } from '../ui/copy'
import { Dialog } from '../ui/Dialog'
import { Bar, Failed, Loading } from '../ui/states'
import { Legal } from './Legal'
import { siteNames } from './site-names'

export type FooterDialogName = 'privacy' | 'terms' | 'contact'

/** Privacy policy, terms or contacts. */
export default function FooterDialog({ name, onClose }: { name: FooterDialogName; onClose: () => void }) {
  const site = trpc.shop.site.useQuery(undefined, { staleTime: 60_000 })
  const title = titles[name]
  return (
    <Dialog title={title} open width={name === 'contact' ? 440 : 640} onClose={onClose}>
      {site.data ? (
        name === 'contact' ? (
          <Contact site={site.data} />
        ) : (
          <>
            <Legal site={site.data} name={name} level="h3" />
            <Whole href={paths[name]()} target="_blank">
              在单独的页面查看
            </Whole>
          </>
        )
      ) : site.isError ? (
        <Failed title={`加载${title}失败`} error={site.error} onRetry={() => void site.refetch()} />
      ) : (
        <Loading label={`正在加载${title}`}>
          <Bar $height={160} />
        </Loading>
      )}
    </Dialog>
  )
}

const titles = { privacy: labels.privacy, terms: labels.terms, contact: verbs.contactUs }

type Channel = [name: 'qq' | 'email' | 'wechat' | 'phone' | 'hours' | 'company', Icon: LucideIcon]
const channels: Channel[] = [
  ['qq', Users],
  ['email', Mail],
  ['wechat', MessageCircle],
  ['phone', Phone],
  ['hours', Clock],
  ['company', Building2],
]

function Contact({ site }: { site: SiteSettings }) {
  return (
    <List>
      {channels
        .filter(([name]) => site[name])
        .map(([name, Icon]) => (
          <li key={name}>
            <Icon size={20} strokeWidth={1.75} aria-hidden />
            <div>
              <small>{siteNames[name]}</small>
              <b>{site[name]}</b>
            </div>
            {name !== 'hours' && name !== 'company' && (
              <IconButton label={`复制${siteNames[name]}`} onClick={() => void copyText(site[name], text.copied)}>
                <Copy size={16} strokeWidth={1.75} />
              </IconButton>
            )}
          </li>
        ))}
    </List>
  )
}

const Whole = styled.a`
  display: inline-flex;
  align-items: center;
  min-height: 44px;
  margin-top: 8px;
`

const List = styled.ul`
  display: grid;

  li {
    display: flex;
    align-items: center;
    gap: 16px;
    padding: 12px 0;

    & + li {
      border-top: 1px solid ${color.line};
    }
  }

  svg {
    color: ${color.primary.text};
  }

  div {
    flex: 1;
    display: grid;
  }

  small {
    ${font.xs}
    color: ${color.text3};
  }

  b {
    overflow-wrap: anywhere;
  }
`
