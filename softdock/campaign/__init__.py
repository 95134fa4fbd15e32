"""Many runs of one scenario with drawn quantities: on all cores, on a cluster, and what they say together."""

from softdock.campaign.carry import Tally, carry_out, rerun
from softdock.campaign.plan import Campaign, campaign_of
from softdock.campaign.store import CampaignError, results

__all__ = ["Campaign", "CampaignError", "Tally", "campaign_of", "carry_out", "rerun", "results"]
