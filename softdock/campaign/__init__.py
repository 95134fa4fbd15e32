"""Many runs of one scenario with dispersions: on all cores, on a cluster, and what they say together."""

from softdock.campaign.direct import run
from softdock.campaign.plan import Campaign
from softdock.campaign.request import campaign_of
from softdock.campaign.runs import Tally, rerun, run_campaign
from softdock.campaign.store import CampaignError, results

__all__ = ["Campaign", "CampaignError", "Tally", "campaign_of", "rerun", "results", "run", "run_campaign"]


def __dir__() -> list[str]:
    return __all__
