"""The Lambda handler of the FastAPI application."""

from app import app
from mangum import Mangum

lambda_handler = Mangum(app, lifespan="off")
