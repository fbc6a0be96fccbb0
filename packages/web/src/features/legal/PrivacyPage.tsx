import { LegalPage } from './LegalPage'

/** 隐私政策. */
export default function PrivacyPage() {
  return <LegalPage name="privacy" />
}
