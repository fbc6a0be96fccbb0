import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { lazy, Suspense, useState } from 'react'
import styled from 'styled-components'
import { Link } from 'wouter'
import { productName, versionLabel } from '@vps/shared/brand'
import { paths } from '../paths'
import { color, font, media, size } from '../theme/tokens'
import type { FooterDialogName } from '../about/FooterDialog'
import { useSite } from '../about/use-site'

const FooterDialog = lazy(() => import('../about/FooterDialog'))

const links: [FooterDialogName, string][] = [
  ['privacy', labels.privacy],
  ['terms', labels.terms],
  ['contact', verbs.contactUs],
]

/** Copyright, version, and the dialogs that every page can open. */
export function Footer() {
  const site = useSite()
  const [open, setOpen] = useState<FooterDialogName | null>(null)
  return (
    <Foot>
      <Inner>
        <span>
          © {new Date().getFullYear()} {site?.company || productName} · {versionLabel}
        </span>
        {site && (site.icp || site.police) && (
          <Records>
            {site.icp && (
              <a href="https://beian.miit.gov.cn/" rel="noreferrer" target="_blank">
                {site.icp}
              </a>
            )}
            {site.police && (
              <a href="https://beian.mps.gov.cn/" rel="noreferrer" target="_blank">
                {site.police}
              </a>
            )}
          </Records>
        )}
        <Links>
          <Link href={paths.status()}>{labels.serviceStatus}</Link>
          <Link href={paths.notices()}>{labels.announcement}</Link>
          {links.map(([name, label]) => (
            <button key={name} type="button" onClick={() => setOpen(name)}>
              {label}
            </button>
          ))}
        </Links>
      </Inner>
      {open && (
        <Suspense fallback={null}>
          <FooterDialog name={open} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </Foot>
  )
}

const Foot = styled.footer`
  border-top: 1px solid ${color.line};
  color: ${color.text3};
  ${font.xs}
`

const Inner = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  flex-wrap: wrap;
  gap: 4px 24px;
  max-width: calc(${size.console} + 48px);
  min-height: 56px;
  margin: 0 auto;
  padding: 8px 24px;

  ${media.phone} {
    justify-content: center;
    padding: 12px 16px;
  }
`

const Records = styled.span`
  display: flex;
  flex-wrap: wrap;
  gap: 4px 16px;

  a {
    display: inline-flex;
    align-items: center;
    min-height: 32px;
    color: inherit;

    &:hover {
      text-decoration: underline;
    }

    ${media.phone} {
      min-height: 44px;
    }
  }
`

const Links = styled.div`
  display: flex;
  gap: 4px;

  a,
  button {
    display: inline-flex;
    align-items: center;
    min-height: 32px;
    padding: 0 8px;
    border: 0;
    border-radius: 6px;
    background: transparent;
    color: ${color.text2};
    cursor: pointer;

    &:hover {
      color: ${color.primary.text};
      text-decoration: underline;
    }

    ${media.phone} {
      min-height: 44px;
    }
  }
`
