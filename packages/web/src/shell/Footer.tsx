import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { lazy, Suspense, useState } from 'react'
import styled, { css } from 'styled-components'
import { Link, useLocation } from 'wouter'
import { productName, versionLabel } from '@vps/shared/brand'
import { paths } from '../paths'
import { color, font, media, size } from '../theme/tokens'
import type { FooterDialogName } from '../about/FooterDialog'
import { useSite } from '../about/use-site'

const FooterDialog = lazy(() => import('../about/FooterDialog'))

/** Elsewhere the footer is a line. */
const wideAt = [paths.home(), paths.sales(), paths.status(), paths.notices(), paths.terms(), paths.privacy()]

/** Also opens the dialogs of every page. */
export function Footer() {
  const [open, setOpen] = useState<FooterDialogName | null>(null)
  const wide = wideAt.includes(useLocation()[0])
  const opener = (name: FooterDialogName, label: string) => (
    <button type="button" onClick={() => setOpen(name)}>
      {label}
    </button>
  )
  const ways = {
    [labels.product]: (
      <>
        <Link href={paths.sales()}>{labels.productOverview}</Link>
        <Link href={paths.register()}>{verbs.register}</Link>
      </>
    ),
    [labels.support]: (
      <>
        {opener('contact', verbs.contactUs)}
        <Link href={paths.notices()}>{labels.announcement}</Link>
        <a href="/docs/">API 文档</a>
      </>
    ),
    [labels.legal]: (
      <>
        {opener('privacy', labels.privacy)}
        {opener('terms', labels.terms)}
      </>
    ),
    [labels.status]: <Link href={paths.status()}>{labels.serviceStatus}</Link>,
  }
  return (
    <Foot>
      {wide && (
        <Columns>
          {Object.entries(ways).map(([title, links]) => (
            <Ways key={title}>
              <b>{title}</b>
              {links}
            </Ways>
          ))}
        </Columns>
      )}
      <Inner $wide={wide}>
        <Imprint />
        {!wide && (
          <Links>
            {ways[labels.status]}
            {ways[labels.support]}
            {ways[labels.legal]}
          </Links>
        )}
      </Inner>
      {open && (
        <Suspense fallback={null}>
          <FooterDialog name={open} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </Foot>
  )
}

function Imprint() {
  const site = useSite()
  return (
    <>
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
    </>
  )
}

const Foot = styled.footer`
  border-top: 1px solid ${color.line};
  color: ${color.text3};
  ${font.xs}
`

const Inner = styled.div<{ $wide: boolean }>`
  display: flex;
  align-items: center;
  justify-content: space-between;
  flex-wrap: wrap;
  gap: 4px 24px;
  ${({ $wide }) => $wide && `border-top: 1px solid ${color.line};`}
  max-width: calc(${({ $wide }) => ($wide ? size.marketing : size.console)} + 48px);
  min-height: 56px;
  margin: 0 auto;
  padding: 8px ${({ $wide }) => ($wide ? 32 : 24)}px;

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

const way = css`
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

const Links = styled.div`
  display: flex;
  gap: 4px;
  ${way}

  ${media.phone} {
    flex-wrap: wrap;
    justify-content: center;
  }
`

const Columns = styled.div`
  display: grid;
  grid-template-columns: repeat(4, 1fr);
  gap: 16px;
  max-width: calc(${size.marketing} + 48px);
  margin: 0 auto;
  padding: 32px 24px 24px;

  ${media.phone} {
    grid-template-columns: 1fr 1fr;
    padding: 24px 16px 16px;
  }
`

const Ways = styled.div`
  display: grid;
  justify-items: start;
  align-content: start;
  ${font.sm}
  ${way}

  b {
    margin-bottom: 4px;
    padding: 0 8px;
    color: ${color.text};
  }
`
